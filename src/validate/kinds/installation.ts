import * as z from 'zod';
import { holds } from '../grammar/holds.ts';
import { selectorFault } from '../grammar/selector.ts';
import { helmChart } from './claim.ts';
import { dnsLabel, duration, hookJob, line, metadataWith, ourApiVersion } from './fields.ts';

const sweep = z.strictObject({
  apiGroups: z.array(z.string()).min(1).describe('API groups; "" for the core group.'),
  kinds: z.array(z.string()).min(1).describe('Kinds in those groups.'),
  selector: z.string().check(holds(selectorFault)).describe('Label selector, as for `kubectl -l`. Must not be empty.'),
});

const componentDeletion = z.strictObject({
  preDelete: z.array(hookJob).describe('Jobs before anything is deleted.').optional(),
  delete: z.array(hookJob).describe('Jobs that delete in place of the default.').optional(),
  postDelete: z.array(hookJob).describe('Jobs after everything is gone.').optional(),
  sweep: z.array(sweep).describe('What the component leaves behind: deleted by group, kind and selector.').optional(),
  persistentVolumeClaims: z
    .enum(['Retain', 'Delete'])
    .describe('What becomes of its data. Default: Retain.')
    .optional(),
  namespace: z
    .enum(['DeleteWhenEmpty', 'Keep'])
    .describe(
      "Delete its namespace once nothing of anybody's is in it. Default: DeleteWhenEmpty, and Keep for system namespaces.",
    )
    .optional(),
});

const source = z.strictObject({
  manifests: line.describe('Folder with plain manifests, relative to `state/installations/<name>/`.').optional(),
  helm: helmChart.describe('A chart, rendered with `helm template`.').optional(),
});

const component = z.strictObject({
  name: dnsLabel.describe('Name, unique in the installation.'),
  namespace: dnsLabel.describe('Namespace of its objects.'),
  dependsOn: z.array(dnsLabel).describe('Components that are there before it and go after it.').optional(),
  source: source.describe('Where its objects come from. Default: the folder of its own name.').optional(),
  deletion: componentDeletion.describe('How it is removed.').optional(),
});

const deletion = z.strictObject({
  strategy: z
    .enum(['Ordered', 'Quick'])
    .describe('Ordered: in reverse order, waiting. Quick: namespaces first, finalizers dropped. Default: Ordered.')
    .optional(),
  timeout: duration.describe('When the uninstall is reported as failed. Default: 1h.').optional(),
  confirm: z
    .string()
    .describe('The name of the installation, written out: needed for Quick and for deleting volumes.')
    .optional(),
});

export const installationSchema = z
  .strictObject({
    apiVersion: z.literal(ourApiVersion).describe('Always quiesce.dev/v1alpha1.'),
    kind: z.literal('Installation').describe('Always Installation.'),
    metadata: metadataWith(dnsLabel.describe('Name of the installation, as the file.')),
    spec: z.strictObject({
      cluster: dnsLabel.describe('Host cluster.'),
      state: z
        .enum(['Installed', 'Deleted'])
        .describe('`Deleted` is the order to uninstall; removing the file is not. Default: Installed.')
        .optional(),
      components: z.array(component).min(1).describe('The stack, in any order: `dependsOn` orders it.'),
      deletion: deletion.describe('How it is removed.').optional(),
    }),
  })
  .describe('A stack of components on one cluster: `state/installations/<name>.yaml`.');

export type InstallationDocument = z.infer<typeof installationSchema>;
export type WrittenComponent = InstallationDocument['spec']['components'][number];
