import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile, its lines joined; a heredoc is apart. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
  readonly heredoc?: string;
}

/** Stage by stage. */
export function readDockerfile(file: URL): Instruction[][] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const stages: Instruction[][] = [];
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    while (line.endsWith('\\')) line = `${line.slice(0, -1)}${(lines.shift() ?? '').trim()}`;
    const [, name = '', text = ''] = /^(\w+) +(.*)$/.exec(line) ?? [];
    const [, end] = /<<'(\w+)'/.exec(text) ?? [];
    const heredoc =
      end === undefined
        ? {}
        : {
            heredoc: `${lines
              .splice(0, lines.indexOf(end) + 1)
              .slice(0, -1)
              .join('\n')}\n`,
          };
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text, ...heredoc });
  }
  return stages;
}
