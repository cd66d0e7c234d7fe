import { list } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import type { Lab } from '../sidecar/lab.ts';
import { configMap, custom, definition, deployment, service, statefulSet } from './objects.ts';
import { type Stack, stackIn } from './stack.ts';

/** Installed, with something of every step: a hook, custom resources and their kind, workloads, data, a namespace. */
export async function stackOfEverything({ access }: Lab, name: string): Promise<Stack> {
  const hook = { name: 'first', image: 'registry.example.edu/hook:1', command: ['run'] };
  const stack = stackIn(access, {
    name,
    spec: {
      deletion: { confirm: name },
      components: [
        { name: 'operator', namespace: name },
        {
          name: 'store',
          namespace: name,
          dependsOn: ['operator'],
          deletion: { preDelete: [hook], persistentVolumeClaims: 'Delete' },
        },
      ],
    },
    manifests: {
      operator: [definition('gears', 'Gear'), deployment('operator')],
      store: [statefulSet('db'), service('db'), custom('Gear', 'main'), configMap('settings')],
    },
  });
  await stack.install();
  await waitFor('the claims of the database', { seconds: 20 }, async () => {
    const claims = await list(access, ['v1', 'PersistentVolumeClaim'], { namespace: name });
    return claims.length === 2 ? { met: true } : { seen: `${claims.length}` };
  });
  return stack;
}
