import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { get, post } from '../keepalive/lab.ts';
import { clusterTest } from '../support/cluster-test.ts';
import { apply, id, type KubeObject, read } from '../support/objects.ts';
import { onFreePorts } from '../support/ports.ts';
import { canMount } from '../support/small-disk.ts';
import { settings } from '../support/state.ts';
import { waitFor } from '../support/wait.ts';
import { ownedBy, recordOf } from './lifecycle/claims.ts';
import { credentials, type Lab, startLab } from './lifecycle/lab.ts';
import { type Kubelet, openKubelet, type Pod, type PodSpec } from './pod/start-pod.ts';

const namespace = 'quiesce-system';
const page = 'https://keepalive.example.edu';

/** Rendered, applied, read back, and started as they are: command, environment, user, volumes, a root that cannot be written. */
clusterTest('pods of our own programs', () => {
  describe.skipIf(!canMount())('laid out as their specs say', () => {
    let lab: Lab;
    let kubelet: Kubelet;
    let renewing = '';
    beforeAll(async () => {
      lab = await startLab({ files: {} });
      await lab.push('Pods', {
        'state/settings.yaml': settingsOf(lab),
        'state/claims/ada.yaml': ownedBy('ada', 'accept-ada@example.edu'),
        'state/records/ada.yaml': recordOf('ada', { firstSeen: -85, sleep: 5, delete: 65 }),
      });
      await lab.applyTip();
      expect(await lab.commitOutput()).toMatchObject({ status: 0 });
      for (const file of ['lifecycle', 'keepalive']) await apply(lab.access, ...(await rendered(lab, file)));
      await apply(lab.access, secret('quiesce-git', credentials));
      await apply(lab.access, secret('quiesce-keepalive-keys', { 'key-1': 'k'.repeat(40) }));
      kubelet = await openKubelet(lab.cluster, namespace);
    });
    afterAll(async () => {
      kubelet?.close();
      await lab?.stop();
    });

    it('the CronJob warns an owner and writes it down', async () => {
      const job = await read<CronJob>(lab.access, id('batch/v1', 'CronJob', 'quiesce-lifecycle', namespace));
      const pod = await kubelet.start((job as CronJob).spec.jobTemplate.spec.template.spec);
      expect({ code: await pod.ended, said: pod.output() }).toMatchObject({ code: 0 });
      const [mail] = lab.smtp.mails;
      expect(mail?.to).toBe('accept-ada@example.edu');
      renewing = /\/renew\/[\w.-]+/.exec(mail?.raw.replaceAll('=\r\n', '') ?? '')?.[0] ?? '';
      expect(await lab.file('state/records/ada.yaml')).toContain('about: Sleep');
    });

    it('the StatefulSet is ready, stays small, and renews with the link of that mail', async () => {
      const set = await read<StatefulSet>(lab.access, id('apps/v1', 'StatefulSet', 'quiesce-keepalive', namespace));
      const { spec } = (set as StatefulSet).spec.template;
      await onFreePorts(2, async ([http = 0, metrics = 0]) => {
        const pod = await kubelet.start(spec, { 8080: http, 9090: metrics });
        try {
          await readyAt(pod, `http://127.0.0.1:${metrics}/readyz`);
          const address = `http://127.0.0.1:${http}${renewing}`;
          const asked = await (await fetch(address, { headers: { 'accept-language': 'en' } })).text();
          expect(asked).toContain('Do you still need ada?');
          const form = /name="form" value="([^"]+)"/.exec(asked)?.[1] ?? '';
          // On a busy machine git may take longer than the page lets people wait; then it says so.
          expect([200, 202]).toContain((await post(address, form, { origin: page })).status);
          await expect.poll(async () => (await get(address)).title, { timeout: 60_000 }).toBe('ada is kept');
          expect(await lab.file('state/records/ada.yaml')).toContain('renewals:');
          expect(peakMegabytes(pod.process.pid)).toBeLessThanOrEqual(60);
        } finally {
          expect(await pod.stop()).toBe(0);
        }
      });
    });
  });
});

interface CronJob {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: PodSpec } } } };
}

interface StatefulSet {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

function settingsOf({ git, smtp }: Lab): string {
  const extra = `  mail: { from: quiesce@example.edu, host: 127.0.0.1, port: ${smtp.port}, security: None }
  keepalive: { url: "${page}", keysSecret: quiesce-keepalive-keys }
  ingress: { tlsSecret: wildcard }
`;
  const there = `url: ${git.url('platform')}\n    credentialsSecret: quiesce-git`;
  return settings({ extra }).replace('url: https://git.example.edu/platform/quiesce.git', there);
}

async function rendered(lab: Lab, file: string): Promise<KubeObject[]> {
  const text = await lab.file(`out/main/system/${file}.k8s.yaml`);
  return parseAllDocuments(text ?? '').map((document) => document.toJS() as KubeObject);
}

function secret(name: string, content: Readonly<Record<string, string>>): KubeObject & { readonly stringData: object } {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: content };
}

async function readyAt(pod: Pod, url: string): Promise<void> {
  await waitFor('the page to be ready', { seconds: 20, everyMs: 50 }, async () => {
    const answer = await fetch(url).catch(() => undefined);
    return answer?.status === 200 ? { met: true as const } : { seen: pod.output() };
  });
}

function peakMegabytes(pid: number | undefined): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
