import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The programs of this repository, from its sources as they are now. */
export interface Commands {
  /** `quiesce` */
  readonly quiesce: readonly string[];
  /** `quiesce sidecar`; undefined while there is none. */
  readonly sidecar: readonly string[] | undefined;
}

export async function bundleCommands(folder: string): Promise<Commands> {
  const lib = join(folder, 'lib');
  await mkdir(lib);
  await writeFile(join(lib, 'package.json'), '{"type":"module"}\n');
  const sidecar = existsSync(join(root, 'src/sidecar/main.ts'));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { quiesce: 'src/main.ts', ...(sidecar && { sidecar: 'src/sidecar/main.ts' }) },
      outdir: lib,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // CommonJS libraries inside ES modules call require() for Node's own modules.
      banner: {
        js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    // Mails find them beside the program.
    await cp(join(root, 'src/mail/templates'), join(lib, 'templates'), { recursive: true });
  } finally {
    await stop();
  }
  const command = (name: string) => [process.execPath, join(lib, `${name}.js`)];
  return { quiesce: command('quiesce'), sidecar: sidecar ? command('sidecar') : undefined };
}

interface ShellOptions {
  readonly folder: string;
  readonly clone: string;
  readonly kubeconfig: string;
  /** By the name that they get on the PATH. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

/** A file to be sourced by the shell of whoever tries things: in the clone, with the commands on the PATH. */
export async function writeShellFile({ folder, clone, kubeconfig, commands }: ShellOptions): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, argv] of Object.entries(commands)) {
    const file = join(bin, name);
    await writeFile(file, `#!/bin/sh\nexec ${argv.map(quoted).join(' ')} "$@"\n`);
    await chmod(file, 0o755);
  }
  const file = join(folder, 'env');
  const lines = [`PATH=${quoted(bin)}:$PATH`, `KUBECONFIG=${quoted(kubeconfig)}`, 'export PATH KUBECONFIG'];
  await writeFile(file, `${[...lines, `cd ${quoted(clone)}`].join('\n')}\n`);
  return file;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
