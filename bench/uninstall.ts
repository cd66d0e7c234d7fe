import type { InstallationStatus } from '../src/sidecar/installations/status.ts';
import { configMap, deployment, placed, service } from '../test/cluster/uninstall/objects.ts';
import { rendered } from '../test/cluster/uninstall/raw.ts';
import { installationOf } from '../test/cluster/uninstall/stack.ts';
import { apply, id, type KubeObject, patch } from '../test/support/objects.ts';
import { waitFor } from '../test/support/wait.ts';
import type { Figure } from './figures.ts';
import { contest, type Ground, onGround } from './uninstall-ground.ts';

/**
 * One installation of 200 objects in 8 components, against kubectl and Helm on the same control plane, where each of
 * them takes everything in one command.
 */
export function uninstallFigures(): AsyncIterable<Figure> {
  return onGround(4, (ground) => contestOf(ground, 'side by side', false));
}

/** The same with each component needing the one before: then theirs are eight commands, one after the other. */
export function chainFigures(): AsyncIterable<Figure> {
  return onGround(4, (ground) => contestOf(ground, 'in a chain', true));
}

const components = Array.from({ length: 8 }, (_, index) => `part-${index}`);

function contestOf(ground: Ground, how: string, isChained: boolean): AsyncGenerator<Figure> {
  const name = isChained ? 'chain' : 'stack';
  const groups = [...components].reverse().map((component) => objectsOf(component, name));
  const spaces = spacesOf(name);
  const objects = [...groups.flat(), ...spaces];
  const commands = isChained ? [...groups.slice(0, -1), [...(groups.at(-1) ?? []), ...spaces]] : [objects];
  const resource = installation(name, isChained);
  const { access } = ground.lab;
  return contest(ground, `8 components ${how}`, {
    rounds: 3,
    helm: ['among', 'after'],
    objects,
    commands,
    sidecar: {
      prepare: async () => {
        await apply(access, resource);
        await untilPhase(access, name, 'Installed');
      },
      remove: async () => {
        await patch(access, resource, { spec: { state: 'Deleted' } });
        await untilPhase(access, name, 'Deleted');
      },
    },
  });
}

async function untilPhase(
  access: Ground['lab']['access'],
  name: string,
  phase: NonNullable<InstallationStatus['phase']>,
): Promise<void> {
  await waitFor(`installation ${name} to be ${phase}`, { seconds: 300, everyMs: 1000 }, async () => {
    const status = (await installationOf(access, name))?.status;
    return status?.phase === phase ? { met: true } : { seen: JSON.stringify(status) };
  });
}

function spaceOf(component: string, stack: string): string {
  return `${stack}-${components.indexOf(component) >> 1}`;
}

function spacesOf(stack: string): KubeObject[] {
  const names = new Set(components.map((component) => spaceOf(component, stack)));
  return [...names].map((name) => {
    const first = components.find((component) => spaceOf(component, stack) === name) ?? '';
    return rendered({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, stack, first);
  });
}

/** 25, as a chart of an application has them. */
function objectsOf(component: string, stack: string): KubeObject[] {
  const numbered = <T>(count: number, make: (name: string) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(`${component}-${index}`));
  const manifests = [
    ...numbered(4, (name) => deployment(name, 1)),
    ...numbered(4, service),
    ...numbered(8, (name) => configMap(name)),
    ...numbered(3, (name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { a: 'b' } })),
    ...numbered(2, roleBinding),
    ...numbered(2, role),
    ...numbered(2, (name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })),
  ];
  return manifests.map((object) => rendered(placed(object, spaceOf(component, stack)), stack, component));
}

const rbac = 'rbac.authorization.k8s.io';

function role(name: string) {
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  return { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name }, rules };
}

function roleBinding(name: string) {
  const roleRef = { apiGroup: rbac, kind: 'Role', name };
  return { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name }, roleRef, subjects: [] };
}

function installation(name: string, isChained: boolean): KubeObject {
  const parts = components.map((component, index) => {
    const space = spaceOf(component, name);
    const own = spacesOf(name).filter((each) => each.metadata.labels?.['quiesce.dev/component'] === component);
    return {
      name: component,
      namespace: space,
      dependsOn: isChained ? components.slice(Math.max(0, index - 1), index) : [],
      wave: isChained ? index : 0,
      deletion: { persistentVolumeClaims: 'Retain', namespace: 'DeleteWhenEmpty' },
      objects: [...objectsOf(component, name), ...own].map(({ apiVersion, kind, metadata }) => ({
        apiVersion,
        kind,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        name: metadata.name,
      })),
    };
  });
  const deletion = { strategy: 'Ordered', timeoutSeconds: 600, confirm: true };
  return {
    ...id('quiesce.dev/v1alpha1', 'Installation', name),
    spec: { cluster: 'main', state: 'Installed', deletion, components: parts },
  };
}
