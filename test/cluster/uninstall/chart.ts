import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Cluster } from '../../support/cluster.ts';
import { writeTree } from '../../support/tree.ts';

/** A chart with these templates by name, in a folder. */
export function writeChart(folder: string, name: string, templates: Readonly<Record<string, object>>): string {
  writeTree(folder, [
    [`${name}/Chart.yaml`, JSON.stringify({ apiVersion: 'v2', name, version: '1.0.0' })],
    ...Object.entries(templates).map(([file, object]): [string, string] => [
      `${name}/templates/${file}.yaml`,
      JSON.stringify(object),
    ]),
  ]);
  return `${folder}/${name}`;
}

export async function helm(cluster: Cluster, program: readonly string[], ...args: readonly string[]): Promise<string> {
  const [command = '', ...first] = program;
  const argv = [...first, ...args, '--kubeconfig', cluster.kubeconfig];
  const folder = `${cluster.sandbox.folder}/helm`;
  const env = { ...cluster.sandbox.env, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
  const { stdout } = await promisify(execFile)(command, argv, { env, timeout: 60_000 });
  return stdout;
}
