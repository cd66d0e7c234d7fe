import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlers, sidecarFile } from '../cluster/sidecar/bundle.ts';
import { pageFile } from '../keepalive/page-file.ts';
import { builtOnce } from '../support/bundles.ts';
import { type Instruction, readDockerfile } from './dockerfile.ts';

const source = fileURLToPath(new URL('../../', import.meta.url));
/** Built by Go, which is not at hand; nothing here runs it. */
const isHelm = ({ text }: Instruction) => text.startsWith('--from=helm ');

export const lastStage: readonly Instruction[] =
  readDockerfile(new URL('../../Dockerfile', import.meta.url)).at(-1) ?? [];

export interface LayOut {
  /** Folder that stands for the image's root. */
  readonly image: string;
  /** Where those who run it find that root. */
  readonly root: string;
}

/** There is no engine to build the image with: its last stage as a folder, by the Dockerfile's own instructions. */
export async function layOutImage({ image, root }: LayOut): Promise<void> {
  const dist = await builtParts();
  for (const { text, heredoc } of lastStage.filter((each) => each.name === 'COPY' && !isHelm(each))) {
    if (heredoc === undefined) {
      copy(text, { dist, image });
      continue;
    }
    const to = join(image, text.split(/ +/).at(-1) ?? '');
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, heredoc.replaceAll('/opt/quiesce', join(root, 'opt/quiesce')));
    chmodSync(to, Number.parseInt(/--chmod=(\d+)/.exec(text)?.[1] ?? '644', 8));
  }
}

/** What the build makes: by its name in `dist/`, where it is. */
async function builtParts(): Promise<Readonly<Record<string, string>>> {
  const commands = await builtOnce('commands', async (folder) => (await bundlers()).bundleCommands(folder));
  return { cli: join(commands, 'cli'), 'sidecar.js': await sidecarFile(), keepalive: dirname(await pageFile()) };
}

/** As COPY does it: a folder's content, a file below a target that ends in a slash. */
function copy(
  text: string,
  { dist, image }: { readonly dist: Readonly<Record<string, string>>; readonly image: string },
) {
  const words = text.split(/ +/).filter((word) => !word.startsWith('--'));
  const to = words.pop() ?? '';
  for (const from of words) {
    const inside = from.replace(/^\/source\//, '');
    const file = inside.startsWith('dist/') ? (dist[inside.slice('dist/'.length)] ?? inside) : join(source, inside);
    cpSync(file, join(image, to.endsWith('/') ? join(to, basename(from)) : to), { recursive: true });
  }
}
