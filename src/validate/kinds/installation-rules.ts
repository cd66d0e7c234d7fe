import { cycles } from '../dependencies.ts';
import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import { shown } from '../grammar/fault.ts';
import type { Rule } from '../rule.ts';
import { closest } from '../suggest.ts';
import { chartFindings } from './chart-rules.ts';
import { imageFindings } from './image-rules.ts';
import type { InstallationDocument, WrittenComponent } from './installation.ts';

export const installationRules: readonly Rule<InstallationDocument>[] = [
  componentNamesDiffer,
  dependenciesExist,
  dependenciesHaveNoCycle,
  sourcesAreSingle,
  manifestFoldersAreInside,
  chartsArePinned,
  releaseNamesAreShort,
  hookNamesDiffer,
  hookImagesArePinned,
  systemNamespacesStay,
  confirmationIsItsOwn,
  destructionIsConfirmed,
];

const phases = ['preDelete', 'delete', 'postDelete'] as const;

function ofComponents(
  { spec }: InstallationDocument,
  check: (component: WrittenComponent, path: DataPath) => readonly Finding[],
): Finding[] {
  return spec.components.flatMap((component, index) => check(component, ['spec', 'components', index]));
}

function componentNamesDiffer({ spec }: InstallationDocument, origin: Origin): Finding[] {
  return repeated(spec.components, (index) => ['spec', 'components', index, 'name']).map(({ name, first, second }) => ({
    code: 'component-repeated',
    at: at(origin, second),
    message: `There is a component ${shown(name)} already.`,
    remedy: 'Rename one of them.',
    related: [{ message: 'the first one', at: at(origin, first) }],
  }));
}

function dependenciesExist(written: InstallationDocument, origin: Origin): Finding[] {
  const names = written.spec.components.map(({ name }) => name);
  return ofComponents(written, ({ dependsOn }, path) =>
    (dependsOn ?? []).flatMap((wanted, index): Finding[] => {
      if (names.includes(wanted)) return [];
      const meant = closest(wanted, names);
      return [
        {
          code: 'dependency-unknown',
          at: at(origin, [...path, 'dependsOn', index]),
          message: `There is no component ${shown(wanted)} in this installation.`,
          remedy: meant === undefined ? `Use some of ${names.join(', ')}.` : `Did you mean ${shown(meant)}?`,
        },
      ];
    }),
  );
}

function dependenciesHaveNoCycle({ spec }: InstallationDocument, origin: Origin): Finding[] {
  const needs = new Map(spec.components.map(({ name, dependsOn }) => [name, dependsOn ?? []]));
  return cycles(needs).map((cycle): Finding => {
    const [first = ''] = cycle;
    const index = spec.components.findIndex(({ name }) => name === first);
    const way = [...cycle, first].join(' → ');
    return {
      code: 'dependency-cycle',
      at: at(origin, ['spec', 'components', index, 'dependsOn']),
      message:
        cycle.length === 1 ? `${shown(first)} depends on itself.` : `These components wait for each other: ${way}.`,
      remedy: 'Remove one of these dependencies.',
    };
  });
}

function sourcesAreSingle(written: InstallationDocument, origin: Origin): Finding[] {
  return ofComponents(written, ({ source }, path): Finding[] => {
    if (source === undefined || (source.manifests === undefined) !== (source.helm === undefined)) return [];
    const both = source.manifests !== undefined;
    return [
      {
        code: 'source-ambiguous',
        at: at(origin, [...path, 'source'], 'key'),
        message: both
          ? 'The component has two sources, manifests and a chart.'
          : 'The source names neither manifests nor a chart.',
        remedy: both
          ? 'Make two components of it, or remove one source.'
          : 'Name one, or remove "source" to use the folder of its own name.',
      },
    ];
  });
}

function manifestFoldersAreInside(written: InstallationDocument, origin: Origin): Finding[] {
  return ofComponents(written, ({ source }, path): Finding[] => {
    const folder = source?.manifests;
    if (folder === undefined || !folder.split('/').some((part) => part === '' || part === '.' || part === '..'))
      return [];
    return [
      {
        code: 'manifest-folder-invalid',
        at: at(origin, [...path, 'source', 'manifests']),
        message: `${shown(folder)} is no folder below state/installations/${written.metadata.name}/.`,
        remedy: 'Write a path relative to that folder, without "." and "..".',
      },
    ];
  });
}

function chartsArePinned(written: InstallationDocument, origin: Origin): Finding[] {
  const folders = ['state/charts/', `state/installations/${written.metadata.name}/`];
  return ofComponents(written, ({ source }, path) =>
    source?.helm === undefined ? [] : chartFindings(source.helm, origin, [...path, 'source', 'helm'], folders),
  );
}

/** What Helm allows, because of what charts add to it. */
const longestRelease = 53;

function releaseNamesAreShort(written: InstallationDocument, origin: Origin): Finding[] {
  return ofComponents(written, ({ name, source }, path): Finding[] => {
    if (source?.helm === undefined || name.length <= longestRelease) return [];
    return [
      {
        code: 'name-too-long',
        at: at(origin, [...path, 'name']),
        message: `${shown(name)} has ${name.length} characters; as name of a Helm release it may have ${longestRelease}.`,
        remedy: `Shorten it by ${name.length - longestRelease}.`,
      },
    ];
  });
}

function hookNamesDiffer(written: InstallationDocument, origin: Origin): Finding[] {
  return ofComponents(written, ({ deletion }, path) => {
    const hooks = phases.flatMap((phase) =>
      (deletion?.[phase] ?? []).map((hook, index) => ({ name: hook.name, phase, index })),
    );
    const pathOf = (position: number): DataPath => {
      const hook = hooks[position];
      return [...path, 'deletion', hook?.phase ?? '', hook?.index ?? 0, 'name'];
    };
    return repeated(hooks, pathOf).map(
      ({ name, first, second }): Finding => ({
        code: 'hook-repeated',
        at: at(origin, second),
        message: `There is a hook ${shown(name)} already; the second would never run.`,
        remedy: 'Rename one of them.',
        related: [{ message: 'the first one', at: at(origin, first) }],
      }),
    );
  });
}

function hookImagesArePinned(written: InstallationDocument, origin: Origin): Finding[] {
  return ofComponents(written, ({ deletion }, path) =>
    phases.flatMap((phase) =>
      (deletion?.[phase] ?? []).flatMap((hook, index) =>
        imageFindings(hook.image, origin, [...path, 'deletion', phase, index, 'image']),
      ),
    ),
  );
}

export function isSystemNamespace(namespace: string): boolean {
  return namespace === 'default' || namespace.startsWith('kube-');
}

function systemNamespacesStay(written: InstallationDocument, origin: Origin): Finding[] {
  return ofComponents(written, ({ namespace, deletion }, path): Finding[] => {
    if (deletion?.namespace !== 'DeleteWhenEmpty' || !isSystemNamespace(namespace)) return [];
    return [
      {
        code: 'system-namespace-deletion',
        at: at(origin, [...path, 'deletion', 'namespace']),
        message: `${shown(namespace)} is a system namespace and never deleted.`,
        remedy: 'Write "namespace: Keep", or remove the line.',
      },
    ];
  });
}

function confirmationIsItsOwn({ metadata, spec }: InstallationDocument, origin: Origin): Finding[] {
  const confirm = spec.deletion?.confirm;
  if (confirm === undefined || confirm === metadata.name) return [];
  return [
    {
      code: 'confirm-mismatch',
      at: at(origin, ['spec', 'deletion', 'confirm']),
      message: `${shown(confirm)} confirms nothing: this installation is ${shown(metadata.name)}.`,
      remedy: `Write ${shown(metadata.name)} to confirm, or remove the line.`,
    },
  ];
}

function destructionIsConfirmed({ metadata, spec }: InstallationDocument, origin: Origin): Finding[] {
  if (spec.state !== 'Deleted' || spec.deletion?.confirm !== undefined) return [];
  const deleting = spec.components.findIndex(({ deletion }) => deletion?.persistentVolumeClaims === 'Delete');
  const isQuick = spec.deletion?.strategy === 'Quick';
  if (!isQuick && deleting < 0) return [];
  return [
    {
      code: 'confirm-missing',
      at: at(
        origin,
        isQuick
          ? ['spec', 'deletion', 'strategy']
          : ['spec', 'components', deleting, 'deletion', 'persistentVolumeClaims'],
      ),
      message: isQuick
        ? 'Quick deletion drops finalizers and asks for a confirmation.'
        : 'Deleting volumes asks for a confirmation.',
      remedy: `Write "confirm: ${metadata.name}" into spec.deletion.`,
    },
  ];
}

interface Repeated {
  readonly name: string;
  readonly first: DataPath;
  readonly second: DataPath;
}

function repeated(items: readonly { readonly name: string }[], pathOf: (index: number) => DataPath): Repeated[] {
  const seen = new Map<string, number>();
  return items.flatMap(({ name }, index) => {
    const before = seen.get(name);
    if (before === undefined) {
      seen.set(name, index);
      return [];
    }
    return [{ name, first: pathOf(before), second: pathOf(index) }];
  });
}
