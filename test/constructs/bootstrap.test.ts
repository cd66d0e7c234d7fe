import { describe, expect, test } from 'vitest';
import { fieldsOf, type Json } from '../../constructs/plain-object.ts';
import type { HostCluster } from '../../src/resolve/state.ts';
import { bootstrap, edge, lab, objectsOf, settings } from './instance.ts';
import { names, pick } from './sample.ts';

describe('Argo CD', () => {
  const objects = objectsOf(bootstrap(lab));

  test('finds claims and installations by their folders: nothing changes when one comes or goes', () => {
    expect(names(objects)).toEqual([
      'AppProject/campus.lab',
      'Application/campus.lab.system',
      'Application/campus.lab.maintenance',
      'ApplicationSet/campus.lab.claims',
      'ApplicationSet/campus.lab.installations',
    ]);
    expect(objectsOf(bootstrap(lab, { claims: ['ada', 'bob'] }))).toEqual(objects);
  });

  test.each([
    ['claims', 'claim'],
    ['installations', 'installation'],
  ])('one Application for each folder of %s, and it goes with the folder', (folder, part) => {
    expect(pick(objects, 'ApplicationSet', `campus.lab.${folder}`).spec).toMatchObject({
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        { git: { repoURL: settings.git.url, revision: 'main', directories: [{ path: `out/lab/${folder}/*` }] } },
      ],
      syncPolicy: { preserveResourcesOnDeletion: false },
      template: {
        metadata: { name: `campus.lab.${part}.{{.path.basename}}` },
        spec: {
          project: 'campus.lab',
          source: { path: '{{.path.path}}', directory: { recurse: true, include: '*.k8s.yaml' } },
        },
      },
    });
  });

  test('every Application applies its own folder to its own cluster, heals itself, and tries until it succeeds', () => {
    for (const [template, part] of applications()) {
      expect(template.metadata.annotations, part).toMatchObject({
        'argocd.argoproj.io/manifest-generate-paths': part === 'maintenance' ? './maintenance' : '.',
        'argocd.argoproj.io/compare-options': 'ServerSideDiff=true',
      });
      expect(template.spec, part).toMatchObject({
        destination: { server: 'https://kubernetes.default.svc' },
        source: { repoURL: settings.git.url, targetRevision: 'main' },
        syncPolicy: {
          automated: { prune: true, selfHeal: true },
          syncOptions: ['ServerSideApply=true', 'CreateNamespace=false', 'ApplyOutOfSyncOnly=true'],
          retry: { limit: -1, refresh: true },
        },
      });
    }
  });

  test('single Applications have no finalizer: deleted by mistake, they leave everything', () => {
    for (const [template] of applications()) expect(Object.keys(template.metadata)).not.toContain('finalizers');
  });

  test('maintenance is read from a folder that is always there, so that the last block can go', () => {
    expect(pick(objects, 'Application', 'campus.lab.maintenance').spec).toMatchObject({
      source: { path: 'out/lab', directory: { include: 'maintenance/*.k8s.yaml' } },
      syncPolicy: { automated: { allowEmpty: true } },
    });
  });

  test('the project reaches one repository and one cluster', () => {
    expect(pick(objects, 'AppProject').spec).toMatchObject({
      sourceRepos: [settings.git.url],
      destinations: [{ server: lab.server, namespace: '*' }],
    });
  });

  /** Those that are there, and those that will be made. */
  function applications() {
    return objects
      .filter(({ kind }) => kind.startsWith('Application'))
      .map(({ kind, metadata, spec }) => {
        const template = kind === 'ApplicationSet' ? fieldsOf(fieldsOf(spec).template) : { metadata, spec };
        const written = { metadata: fieldsOf(template.metadata), spec: template.spec };
        return [written, metadata.name.replace('campus.lab.', '')] as const;
      });
  }

  test('one Argo CD may serve two clusters: nothing of theirs has the same name', () => {
    const other = objectsOf(bootstrap({ ...lab, name: 'edge', server: edge.server }));
    expect(names(objects).filter((name) => names(other).includes(name))).toEqual([]);
  });
});

describe('Flux', () => {
  const objects = objectsOf(bootstrap(edge));
  const specOf = (name: string) => fieldsOf(pick(objects, 'Kustomization', name).spec);

  test('names every claim and component, and itself', () => {
    expect(names(objects)).toEqual([
      'GitRepository/campus.edge',
      'Kustomization/campus.edge',
      'Kustomization/campus.edge.system',
      'Kustomization/campus.edge.maintenance',
      'Kustomization/campus.edge.claim.ada',
      'Kustomization/campus.edge.installation.monitoring',
      'Kustomization/campus.edge.installation.monitoring.operator',
      'Kustomization/campus.edge.installation.monitoring.dashboards',
    ]);
  });

  test.each<[string, string, readonly string[] | undefined, string]>([
    ['campus.edge', 'bootstrap', undefined, 'Orphan'],
    ['campus.edge.system', 'system', undefined, 'Orphan'],
    ['campus.edge.maintenance', 'maintenance', ['campus.edge.system'], 'Orphan'],
    ['campus.edge.claim.ada', 'claims/ada', ['campus.edge.system'], 'MirrorPrune'],
    [
      'campus.edge.installation.monitoring',
      'installations/monitoring/_installation',
      ['campus.edge.system'],
      'MirrorPrune',
    ],
    [
      'campus.edge.installation.monitoring.operator',
      'installations/monitoring/operator',
      ['campus.edge.installation.monitoring'],
      'Orphan',
    ],
    [
      'campus.edge.installation.monitoring.dashboards',
      'installations/monitoring/dashboards',
      ['campus.edge.installation.monitoring', 'campus.edge.installation.monitoring.operator'],
      'Orphan',
    ],
  ])('%s applies %s after %j; deleted, it does %s', (name, folder, dependsOn, deletionPolicy) => {
    expect(specOf(name)).toMatchObject({ path: `./out/edge/${folder}`, prune: true, force: false, deletionPolicy });
    expect(specOf(name).dependsOn).toEqual(dependsOn?.map((other) => ({ name: other })));
  });

  test('components wait until all of them is ready, the system only for its kinds', () => {
    const waiting = objects.filter(({ spec }) => fieldsOf(spec).wait === true).map(({ metadata }) => metadata.name);
    expect(waiting).toEqual([
      'campus.edge.installation.monitoring.operator',
      'campus.edge.installation.monitoring.dashboards',
    ]);
    const checked = specOf('campus.edge.system').healthChecks as readonly Json[];
    expect(checked.map((check) => fieldsOf(check).name)).toContain('vclusterclaims.quiesce.dev');
  });

  test('everything but itself goes to the other cluster', () => {
    const elsewhere = { secretRef: { name: 'edge-kubeconfig' } };
    const kubeConfigs = objects.slice(1).map(({ spec }) => fieldsOf(spec).kubeConfig);
    expect(kubeConfigs).toEqual([undefined, ...Array.from({ length: 6 }, () => elsewhere)]);
    const { kubeConfigSecret: _, ...here } = edge;
    expect(JSON.stringify(objectsOf(bootstrap(here)))).not.toContain('kubeConfig');
  });

  test('it does not saw off the branch it sits on', () => {
    const marked = objects
      .filter(({ metadata }) => metadata.annotations !== undefined)
      .map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(marked).toEqual(['GitRepository/campus.edge', 'Kustomization/campus.edge']);
  });

  test('without configs, maintenance applies nothing of a folder that is there, so that the last block can go', () => {
    const without = objectsOf(bootstrap(edge, { configs: [] }));
    expect(names(without)).toEqual(names(objects));
    expect(pick(without, 'Kustomization', 'campus.edge.maintenance').spec).toMatchObject({
      path: './out/edge/bootstrap',
      prune: true,
      patches: [{ target: { name: '.*' }, patch: expect.stringContaining('$patch: delete') }],
    });
  });

  test('long names stay below 63 characters, since they become labels, and stay different', () => {
    const claims = ['a', 'b'].map((end) => `u9f4c1e7a2b8d0356-abcdefghijklmnopqrstuvwxyz123-${end}`);
    const long = names(objectsOf(bootstrap(edge, { claims }))).filter((name) => name.includes('.claim.'));
    expect(new Set(long).size).toBe(2);
    for (const name of long) expect(name.slice('Kustomization/'.length)).toMatch(/^[a-z0-9][-.a-z0-9]{0,61}[a-z0-9]$/);
  });

  test.each([
    ['out', '/*\n!/out\n/out/*\n!/out/edge\n'],
    ['./deploy/out/', '/*\n!/deploy\n/deploy/*\n!/deploy/out\n/deploy/out/*\n!/deploy/out/edge\n'],
    ['.', '/*\n!/edge\n'],
  ])('with %s as target, only that folder is fetched', (path, ignore) => {
    const repository = pick(inTarget(edge, { path }), 'GitRepository');
    expect(repository.spec).toMatchObject({ ignore });
  });

  test.each([
    ['git@git.example.edu:platform/out.git', 'ssh://git@git.example.edu/platform/out.git'],
    ['ssh://git@git.example.edu:22/out.git', 'ssh://git@git.example.edu:22/out.git'],
    ['https://git.example.edu/out.git', 'https://git.example.edu/out.git'],
  ])('%s is fetched as %s', (url, fetched) => {
    expect(pick(inTarget(edge, { url }), 'GitRepository').spec).toMatchObject({ url: fetched });
  });
});

test.each([lab, edge])('another repository and branch as target: that is where $applier looks', (cluster) => {
  const objects = inTarget(cluster, { url: 'https://git.example.edu/out.git', branch: 'live' });
  expect(JSON.stringify(objects)).not.toContain(settings.git.url);
  expect(JSON.stringify(objects)).toContain('"live"');
});

function inTarget(cluster: HostCluster, target: Partial<typeof settings.git.target>) {
  const git = { ...settings.git, target: { ...settings.git.target, ...target } };
  return objectsOf(bootstrap(cluster), { settings: { ...settings, git } });
}
