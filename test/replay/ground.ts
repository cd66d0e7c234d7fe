import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlers, type Ran, runFile } from '../cluster/sidecar/bundle.ts';
import { type Lab, type Sidecar, startLab } from '../cluster/sidecar/lab.ts';
import type { Assets } from '../controlplane/assets.ts';
import { apply } from '../support/objects.ts';
import { priorityClass } from '../support/workloads.ts';
import { type AuditTail, tailAudit } from './audit-tail.ts';
import { priorityClasses } from './random-workloads.ts';

/** A control plane with a sidecar, in which one random cluster is after the other. */
export interface Ground {
  readonly lab: Lab;
  readonly sidecar: Sidecar;
  readonly audit: AuditTail;
  /** The command line as it is shipped, in a folder, against this control plane. */
  quiesce(folder: string, ...args: string[]): Promise<Ran>;
  stop(): Promise<void>;
}

export async function openGround(assets: Assets): Promise<Ground> {
  const lab = await startLab({ assets });
  try {
    await apply(lab.access, ...priorityClasses.map(([name, value]) => priorityClass(name, value)));
    const sidecar = await lab.sidecar({ args: ['--resync-seconds=10'] });
    const { kubeconfig, sandbox } = lab.cluster;
    return {
      lab,
      sidecar,
      audit: tailAudit(sandbox.folder),
      quiesce: async (folder, ...args) =>
        runFile(await commandFile(), args, { ...sandbox.env, KUBECONFIG: kubeconfig }, folder),
      stop: lab.stop,
    };
  } catch (error) {
    await lab.stop();
    throw error;
  }
}

let built: Promise<string> | undefined;

function commandFile(): Promise<string> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-replay-cli-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { bundleCommands } = await bundlers();
  await bundleCommands(folder);
  return join(folder, 'cli', 'main.js');
}
