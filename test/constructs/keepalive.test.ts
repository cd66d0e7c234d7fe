import { expect, test } from 'vitest';
import { fieldsOf, type Json } from '../../constructs/plain-object.ts';
import { lab, objectsOf, settings } from './instance.ts';
import { names, pick } from './sample.ts';

function rendered(changes: Partial<typeof settings> = {}) {
  return objectsOf({ kind: 'system', part: 'keepalive', cluster: lab }, { settings: { ...settings, ...changes } });
}

const single = { url: 'https://a.b', host: 'a.b', replicas: 1, keysSecret: 'k', storage: { size: '1Gi' } };

test('is reached under its host name, at the page only', () => {
  expect(names(rendered())).toEqual([
    'ServiceAccount/quiesce-keepalive',
    'StatefulSet/quiesce-keepalive',
    'Service/quiesce-keepalive',
    'Ingress/quiesce-keepalive',
    'NetworkPolicy/quiesce-keepalive',
    'PodDisruptionBudget/quiesce-keepalive',
  ]);
  expect(pick(rendered(), 'Ingress').spec).toEqual({
    ingressClassName: 'nginx',
    rules: [
      {
        host: 'keepalive.example.edu',
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: 'quiesce-keepalive', port: { name: 'http' } } },
            },
          ],
        },
      },
    ],
    tls: [{ hosts: ['keepalive.example.edu'], secretName: 'quiesce-keepalive-tls' }],
  });
});

test.each([
  ['https://example.edu', '/'],
  ['https://example.edu/keep', '/keep'],
  ['https://example.edu/keep/', '/keep'],
])('at %s its path is %s', (url, path) => {
  const objects = rendered({ keepalive: { ...single, url, host: 'example.edu' } });
  expect(pick(objects, 'Ingress').spec).toMatchObject({ rules: [{ http: { paths: [{ path }] } }] });
});

test('a single replica has no budget: it would only hold up drains', () => {
  const objects = rendered({ keepalive: single });
  expect(names(objects)).not.toContain('PodDisruptionBudget/quiesce-keepalive');
});

test('what it was asked outlives its pods: each replica has a volume of its own', () => {
  const { volumeClaimTemplates, template, podManagementPolicy } = fieldsOf(pick(rendered(), 'StatefulSet').spec);
  expect(podManagementPolicy).toBe('Parallel');
  expect(volumeClaimTemplates).toEqual([
    expect.objectContaining({
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
      },
    }),
  ]);
  const [container] = fieldsOf(fieldsOf(template).spec).containers as readonly Json[];
  const { env, volumeMounts } = fieldsOf(container);
  const path = '/var/lib/quiesce-requests';
  expect(env).toContainEqual({ name: 'QUIESCE_REQUESTS', value: path });
  expect(volumeMounts).toContainEqual({ name: 'data', mountPath: path });
});

test('is not rendered without settings for it', () => {
  const { keepalive: _, ...without } = settings;
  expect(objectsOf({ kind: 'system', part: 'keepalive', cluster: lab }, { settings: without })).toEqual([]);
});
