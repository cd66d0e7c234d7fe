import { describe, expect, it } from 'vitest';
import { validated } from './said.ts';

function installation(components: string, spec = '') {
  const text = `apiVersion: quiesce.dev/v1alpha1
kind: Installation
metadata: { name: shop }
spec:
  cluster: atlas
${spec}  components: ${components}
`;
  return validated('state/installations/shop.yaml', text).said;
}

const hook = '{ name: dump, image: "curl:8", command: [dump] }';

describe('an installation', () => {
  it.each<[what: string, components: string, spec: string, said: string[]]>([
    [
      'everything there is',
      `[{ name: db, namespace: shop }, { name: web, namespace: shop, dependsOn: [db], source: { helm: { chart: "oci://r.example.edu/web", version: 1.2.3, values: { a: 1 } } },
         deletion: { preDelete: [${hook}], sweep: [{ apiGroups: [""], kinds: [ConfigMap], selector: app=web }], persistentVolumeClaims: Retain, namespace: Keep } }]`,
      '  state: Installed\n  deletion: { strategy: Ordered, timeout: 1h }\n',
      [],
    ],
    [
      'two components of one name',
      '[{ name: db, namespace: a }, { name: db, namespace: b }]',
      '',
      ['component-repeated spec.components[1].name: There is a component "db" already. Rename one of them.'],
    ],
    [
      'a dependency that is not there',
      '[{ name: db, namespace: a }, { name: web, namespace: a, dependsOn: [bd, cache] }]',
      '',
      [
        'dependency-unknown spec.components[1].dependsOn[0]: There is no component "bd" in this installation. Did you mean "db"?',
        'dependency-unknown spec.components[1].dependsOn[1]: There is no component "cache" in this installation. Use some of db, web.',
      ],
    ],
    [
      'a cycle',
      '[{ name: a, namespace: x, dependsOn: [b] }, { name: b, namespace: x, dependsOn: [c] }, { name: c, namespace: x, dependsOn: [a] }, { name: d, namespace: x, dependsOn: [a] }]',
      '',
      [
        'dependency-cycle spec.components[0].dependsOn: These components wait for each other: a → b → c → a. Remove one of these dependencies.',
      ],
    ],
    [
      'two cycles',
      '[{ name: a, namespace: x, dependsOn: [a] }, { name: b, namespace: x, dependsOn: [c] }, { name: c, namespace: x, dependsOn: [b, a] }]',
      '',
      [
        'dependency-cycle spec.components[0].dependsOn: "a" depends on itself. Remove one of these dependencies.',
        'dependency-cycle spec.components[1].dependsOn: These components wait for each other: b → c → b. Remove one of these dependencies.',
      ],
    ],
    [
      'no source, and two',
      '[{ name: a, namespace: x, source: {} }, { name: b, namespace: x, source: { manifests: b, helm: { chart: state/charts/b } } }]',
      '',
      [
        'source-ambiguous spec.components[0].source: The source names neither manifests nor a chart. Name one, or remove "source" to use the folder of its own name.',
        'source-ambiguous spec.components[1].source: The component has two sources, manifests and a chart. Make two components of it, or remove one source.',
      ],
    ],
    [
      'manifests from outside',
      '[{ name: a, namespace: x, source: { manifests: ../other } }]',
      '',
      [
        'manifest-folder-invalid spec.components[0].source.manifests: "../other" is no folder below state/installations/shop/. Write a path relative to that folder, without "." and "..".',
      ],
    ],
    [
      'charts that are not pinned',
      '[{ name: a, namespace: x, source: { helm: { chart: redis, repository: "https://c.example.edu" } } }, { name: b, namespace: x, source: { helm: { chart: redis } } }, { name: c, namespace: x, source: { helm: { chart: state/installations/shop/redis } } }]',
      '',
      [
        'chart-version-missing spec.components[0].source.helm.chart: The chart "redis" comes from elsewhere and has no version. Add "version" beside it.',
        'chart-path-invalid spec.components[1].source.helm.chart: "redis" is no chart below state/charts/ or state/installations/shop/. Move the chart there, or name the "repository" that it comes from.',
      ],
    ],
    [
      'a name that is too long for a Helm release',
      `[{ name: ${'a'.repeat(54)}, namespace: x, source: { helm: { chart: state/charts/a } } }, { name: ${'b'.repeat(54)}, namespace: x }]`,
      '',
      [
        `name-too-long spec.components[0].name: "${'a'.repeat(54)}" has 54 characters; as name of a Helm release it may have 53. Shorten it by 1.`,
      ],
    ],
    [
      'two hooks of one name in different phases',
      `[{ name: a, namespace: x, deletion: { preDelete: [${hook}], postDelete: [${hook}] } }]`,
      '',
      [
        'hook-repeated spec.components[0].deletion.postDelete[0].name: There is a hook "dump" already; the second would never run. Rename one of them.',
      ],
    ],
    [
      'a hook without a tag',
      '[{ name: a, namespace: x, deletion: { delete: [{ name: h, image: curl, command: [x] }] } }]',
      '',
      [
        'image-floating spec.components[0].deletion.delete[0].image: "curl" names no fixed version, so what runs can change without a commit. Pin a tag, or better a digest.',
      ],
    ],
    [
      'deletion of a system namespace',
      '[{ name: a, namespace: kube-system, deletion: { namespace: DeleteWhenEmpty } }]',
      '',
      [
        'system-namespace-deletion spec.components[0].deletion.namespace: "kube-system" is a system namespace and never deleted. Write "namespace: Keep", or remove the line.',
      ],
    ],
    [
      'a sweep of everything',
      '[{ name: a, namespace: x, deletion: { sweep: [{ apiGroups: [""], kinds: [Pod], selector: "" }] } }]',
      '',
      [
        'selector-selects-all spec.components[0].deletion.sweep[0].selector: An empty selector selects every object of these kinds. Select by a label that only this component carries, for example "app.kubernetes.io/part-of=shop".',
      ],
    ],
    [
      "another one's confirmation",
      '[{ name: a, namespace: x }]',
      '  deletion: { confirm: other }\n',
      [
        'confirm-mismatch spec.deletion.confirm: "other" confirms nothing: this installation is "shop". Write "shop" to confirm, or remove the line.',
      ],
    ],
    [
      'quick deletion without a confirmation',
      '[{ name: a, namespace: x }]',
      '  state: Deleted\n  deletion: { strategy: Quick }\n',
      [
        'confirm-missing spec.deletion.strategy: Quick deletion drops finalizers and asks for a confirmation. Write "confirm: shop" into spec.deletion.',
      ],
    ],
    [
      'deletion of volumes without a confirmation',
      '[{ name: a, namespace: x }, { name: b, namespace: x, deletion: { persistentVolumeClaims: Delete } }]',
      '  state: Deleted\n',
      [
        'confirm-missing spec.components[1].deletion.persistentVolumeClaims: Deleting volumes asks for a confirmation. Write "confirm: shop" into spec.deletion.',
      ],
    ],
    [
      'confirmed deletion of volumes',
      '[{ name: b, namespace: x, deletion: { persistentVolumeClaims: Delete } }]',
      '  state: Deleted\n  deletion: { confirm: shop, strategy: Quick }\n',
      [],
    ],
  ])('with %s', (_, components, spec, expected) => {
    expect(installation(components, spec)).toEqual(expected);
  });
});
