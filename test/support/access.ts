import { readFile, writeFile } from 'node:fs/promises';
import { KubeConfig } from '@kubernetes/client-node';

/** How to reach an API server, and as whom. */
export interface Access {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

export function clientFor({ url, ca, token }: Access): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'test', server: url, caData: base64(ca) }],
    users: [{ name: 'test', token }],
    contexts: [{ name: 'test', cluster: 'test', user: 'test' }],
    currentContext: 'test',
  });
  return config;
}

export function kubeconfigText({ url, ca, token }: Access): string {
  // JSON is YAML.
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}

export async function writeKubeconfig(file: string, access: Access): Promise<string> {
  await writeFile(file, kubeconfigText(access), { mode: 0o600 });
  return file;
}

/** A PEM file that another program is writing; undefined until it is whole. */
export async function readPem(file: string): Promise<string | undefined> {
  const pem = await readFile(file, 'utf8').catch(() => '');
  return pem.trimEnd().endsWith('-----') && pem.includes('-----END ') ? pem : undefined;
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64');
}
