import type { Finding } from '../validate/finding.ts';
import { closest } from '../validate/suggest.ts';

const folders = ['claims', 'clusters', 'installations', 'shutdowns', 'records'];

export function strayFinding(file: string): Finding {
  return {
    code: 'stray-file',
    at: { kind: 'file', file },
    message: `Nothing reads \`${file}\`.`,
    remedy: suggestion(file),
  };
}

/** What its author probably meant, as one sentence. */
function suggestion(path: string): string {
  const [, folder = '', ...rest] = path.split('/');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (rest.length === 0) return atTop(folder);
  if (!folders.includes(folder)) return otherFolder(folder, rest);
  const extension = /(?:\.ya?ml)?\.[^.]*~?$/i.exec(name)?.[0] ?? '';
  const readable = folder === 'claims' ? /^\.ya?ml$/ : /^\.yaml$/;
  if (readable.test(extension)) return `Move it to \`state/${folder}/${name}\`: only claims may be in sub-folders.`;
  const stem = extension === '' ? name : name.slice(0, -extension.length);
  const meant = `state/${folder}/${folder === 'claims' ? rest.slice(0, -1).concat('').join('/') : ''}${stem}.yaml`;
  const ending = extension === '' ? 'It has no extension' : `It ends in \`${extension}\``;
  return `${ending} and only \`.yaml\` is read: rename it to \`${meant}\`, or delete it.`;
}

function atTop(name: string): string {
  const stem = name.replace(/\..*$/, '');
  if (closest(stem, ['settings']) ?? stem === 'settings') return 'Did you mean `state/settings.yaml`?';
  return `Move it to the folder for what it is (${folders.map((folder) => `\`state/${folder}/\``).join(', ')}), or delete it.`;
}

function otherFolder(folder: string, rest: readonly string[]): string {
  const meant = closest(folder, folders);
  if (meant !== undefined) return `Did you mean \`state/${meant}/${rest.join('/')}\`?`;
  return `There is no folder \`state/${folder}/\`; move the file to one of ${folders.join(', ')}, or delete it.`;
}
