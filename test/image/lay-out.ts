import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlers } from '../cluster/sidecar/bundle.ts';
import { type Instruction, readDockerfile } from './dockerfile.ts';

const source = fileURLToPath(new URL('../../', import.meta.url));
/** Built by Go, which is not at hand; nothing here runs it. */
const isHelm = ({ text }: Instruction) => text.startsWith('--from=helm ');

export const lastStage: readonly Instruction[] =
  readDockerfile(new URL('../../Dockerfile', import.meta.url)).at(-1) ?? [];

export interface LayOut {
  /** Folder for what the build makes. */
  readonly dist: string;
  /** Folder that stands for the image's root. */
  readonly image: string;
  /** Where those who run it find that root. */
  readonly root: string;
}

/** There is no engine to build the image with: its last stage as a folder, by the Dockerfile's own instructions. */
export async function layOutImage({ dist, image, root }: LayOut): Promise<void> {
  const { bundleCommands, bundleSidecar, bundleKeepalive } = await bundlers();
  for (const bundle of [bundleCommands, bundleSidecar, bundleKeepalive]) await bundle(dist);
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

/** As COPY does it: a folder's content, a file below a target that ends in a slash. */
function copy(text: string, { dist, image }: Pick<LayOut, 'dist' | 'image'>): void {
  const words = text.split(/ +/).filter((word) => !word.startsWith('--'));
  const to = words.pop() ?? '';
  for (const from of words) {
    const inside = from.replace(/^\/source\//, '');
    const file = inside.startsWith('dist/') ? join(dist, inside.slice('dist/'.length)) : join(source, inside);
    cpSync(file, join(image, to.endsWith('/') ? join(to, basename(from)) : to), { recursive: true });
  }
}
