import { addNodes } from '../../support/nodes.ts';
import { id, list, read } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import type { AuditLine } from '../sidecar/audit.ts';
import { type Lab, startLab } from '../sidecar/lab.ts';
import { brokenInvariants, deletionsIn } from './invariants.ts';
import { type Stack, type StackOptions, stackIn } from './stack.ts';

/** A cluster with a sidecar that runs, for tests that install and uninstall stacks side by side. */
export interface Grounds {
  readonly lab: Lab;
  /** Applied and seen to be there. */
  installed(options: StackOptions): Promise<InstalledStack>;
  exists(apiVersion: string, kind: string, name: string, namespace?: string): Promise<boolean>;
  /** Until a StatefulSet's claims are there. */
  waitForClaims(namespace: string, count: number): Promise<void>;
  /** Of everything so far. */
  faults(): string[];
  stop(): Promise<void>;
}

interface InstalledStack extends Stack {
  /** Of its own, that the sidecar asked for and was granted since it was installed: `resource name`. */
  deletions(): string[];
}

/** Objects of these names are a customer's. */
const customers = ['customers-own', 'customers-thing'];

export async function openGrounds(): Promise<Grounds> {
  const lab = await startLab();
  await addNodes(lab.access, { name: 'worker-1', internalIP: '10.0.0.1' });
  const sidecar = await lab.sidecar();
  return {
    lab,
    installed: async (options) => {
      const stack = stackIn(lab.access, options);
      await stack.install();
      await stack.waitFor('Installed');
      const before = lab.audit().length;
      const isIts = belongsTo(options);
      return { ...stack, deletions: () => deletionsIn(lab.audit().slice(before).filter(isIts)) };
    },
    exists: async (apiVersion, kind, name, namespace) =>
      (await read(lab.access, id(apiVersion, kind, name, namespace))) !== undefined,
    waitForClaims: async (namespace, count) => {
      await waitFor(`the claims in ${namespace}`, { seconds: 20 }, async () => {
        const claims = await list(lab.access, ['v1', 'PersistentVolumeClaim'], { namespace });
        return claims.length === count ? { met: true } : { seen: `${claims.length}` };
      });
    },
    faults: () => brokenInvariants(lab.audit(), customers),
    stop: async () => {
      await sidecar.terminate();
      await lab.stop();
    },
  };
}

/** In its namespaces, or of a name that it has in its manifests. */
function belongsTo({ spec, manifests }: StackOptions): (line: AuditLine) => boolean {
  const namespaces = spec.components.map(({ namespace }) => namespace);
  const names = Object.values(manifests).flatMap((objects) => objects.map(({ metadata }) => metadata.name));
  return ({ namespace, name = '' }) =>
    namespace === undefined ? [...namespaces, ...names].includes(name) : namespaces.includes(namespace);
}

/** A stack of one component of the same namespace. */
export function one(name: string, objects: StackOptions['manifests'][string], component: object = {}): StackOptions {
  return { name, spec: { components: [{ name: 'app', namespace: name, ...component }] }, manifests: { app: objects } };
}
