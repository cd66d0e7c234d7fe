import { type Change, type ChangeKind, counted } from './change.ts';
import { type Danger, danger } from './danger.ts';
import { differences } from './differences.ts';
import type { ComponentFacts, InstallationFacts, RecordFacts } from './facts.ts';

/** `record` is what was noted of its uninstall, before or after. */
export function installationChanges(
  before: InstallationFacts | undefined,
  after: InstallationFacts | undefined,
  record: RecordFacts | undefined,
): readonly Change[] {
  if (before === undefined) return after === undefined ? [] : created(after);
  if (after === undefined) return [gone(before, record)];
  const changes: Change[] = [];
  if (before.cluster !== after.cluster) {
    const why = `what runs on ${before.cluster} is left behind: nothing uninstalls it there`;
    const text = `Installation ${after.name} moves from ${before.cluster} to ${after.cluster}.`;
    changes.push(about(after, 'moved', text, danger('left-behind', why)));
  }
  if (before.strategy !== after.strategy) changes.push(strategyChanged(after));
  if (before.state !== after.state) changes.push(after.state === 'Deleted' ? deleted(after) : restored(after));
  return changes;
}

function created(installation: InstallationFacts): readonly Change[] {
  if (installation.state === 'Deleted') return [deleted(installation)];
  const parts = `${counted(installation.components.length, 'component')} (${installation.components.join(', ')})`;
  return [about(installation, 'installation-created', `${title(installation)} is installed: ${parts}.`)];
}

function deleted(installation: InstallationFacts): Change {
  const parts = counted(installation.components.length, 'component');
  const quick = installation.strategy === 'Quick' ? danger('left-behind', quickly) : [];
  return about(
    installation,
    'installation-deleted',
    `${title(installation)} is ordered to be uninstalled: ${parts}, those that others need last.`,
    [
      ...danger('data-lost', 'everything it installed is deleted, and volumes with it where the component says so'),
      ...quick,
    ],
  );
}

const quickly = 'quick: finalizers are dropped, so what they guard outside of the cluster is left behind';

function strategyChanged(installation: InstallationFacts): Change {
  return installation.strategy === 'Quick'
    ? about(
        installation,
        'removal-changed',
        `${title(installation)} is to be uninstalled quickly, not in order.`,
        danger('left-behind', quickly),
      )
    : about(installation, 'removal-changed', `${title(installation)} is to be uninstalled in order again.`);
}

function restored(installation: InstallationFacts): Change {
  return about(
    installation,
    'installation-restored',
    `${title(installation)} is no longer to be uninstalled.`,
    danger(
      'data-lost',
      'an uninstall that has begun is not undone: what it deleted is installed anew, without its data',
    ),
  );
}

function gone(installation: InstallationFacts, record: RecordFacts | undefined): Change {
  const done = record?.uninstalled;
  if (done !== undefined) {
    return about(
      installation,
      'installation-gone',
      `${title(installation)} is gone: its uninstall was completed at ${done.at}.`,
    );
  }
  return about(
    installation,
    'installation-gone',
    `${title(installation)} is no longer declared.`,
    danger('left-behind', 'no completed uninstall is recorded: what runs of it is left behind'),
  );
}

/** For a component of an installation that is installed before and after: otherwise it comes and goes with that. */
export function componentChanges(
  before: ComponentFacts | undefined,
  after: ComponentFacts | undefined,
): readonly Change[] {
  if (after === undefined) return before === undefined ? [] : [componentRemoved(before)];
  if (before === undefined) {
    return [aboutComponent(after, 'component-added', `${componentTitle(after)} is added${order(after)}.`)];
  }
  const changes: Change[] = [];
  if (before.namespace !== after.namespace) {
    const text = `${componentTitle(after)} moves from namespace ${before.namespace} to ${after.namespace}.`;
    const why = `it is installed a second time: what runs in ${before.namespace} is left behind`;
    changes.push(aboutComponent(after, 'component-changed', text, danger('left-behind', why)));
  }
  if (before.wave !== after.wave || before.dependsOn.join() !== after.dependsOn.join()) {
    changes.push(
      aboutComponent(after, 'component-changed', `${componentTitle(after)} is to be applied${order(after)}.`),
    );
  }
  if (before.digest !== after.digest) {
    changes.push(aboutComponent(after, 'component-changed', `${componentTitle(after)} gets other manifests.`));
  }
  if (before.volumes !== after.volumes) changes.push(volumesChanged(after));
  return [...changes, ...hooksChanged(before, after)];
}

const moments: Readonly<Record<string, string>> = {
  preDelete: 'before it is uninstalled',
  delete: 'in place of deleting its objects',
  postDelete: 'after it is uninstalled',
};

function hooksChanged(before: ComponentFacts, after: ComponentFacts): readonly Change[] {
  return differences(before.hooks ?? {}, after.hooks ?? {}).map(({ key, was, is }) => {
    const [moment = '', name = ''] = key.split(' ');
    const when = moments[moment] ?? moment;
    const title = componentTitle(after);
    if (is === undefined) {
      const why = 'what the hook took care of is not done any more, and may be left behind or lost';
      const text = `${title} no longer runs ${name} ${when}: ${was}.`;
      return aboutComponent(after, 'removal-changed', text, danger('left-behind', why));
    }
    const instead = moment === 'delete' ? danger('left-behind', 'what the hook does not remove is left behind') : [];
    const text =
      was === undefined
        ? `${title} is to run ${name} ${when}: ${is}.`
        : `${title} is to run ${name} ${when} in another way: ${is}; before, ${was}.`;
    return aboutComponent(after, 'removal-changed', text, instead);
  });
}

function componentRemoved(component: ComponentFacts): Change {
  return aboutComponent(
    component,
    'component-removed',
    `${componentTitle(component)} is taken off the list.`,
    danger(
      'left-behind',
      'its own steps of removal do not run: the applier prunes what it may, and the rest is left behind',
    ),
  );
}

function volumesChanged(component: ComponentFacts): Change {
  return component.volumes === 'Delete'
    ? aboutComponent(
        component,
        'removal-changed',
        `${componentTitle(component)} would take its volumes along when it is uninstalled.`,
        danger('data-lost', 'an uninstall from now on deletes its data'),
      )
    : aboutComponent(
        component,
        'removal-changed',
        `${componentTitle(component)} would leave its volumes when it is uninstalled.`,
      );
}

function order(component: ComponentFacts): string {
  return component.dependsOn.length === 0 ? ' first' : ` after ${component.dependsOn.join(', ')}`;
}

function title(installation: InstallationFacts): string {
  return `Installation ${installation.name} on ${installation.cluster}`;
}

function componentTitle(component: ComponentFacts): string {
  return `Component ${component.name} of ${component.installation} on ${component.cluster}`;
}

function about(
  { name, cluster }: InstallationFacts,
  kind: ChangeKind,
  text: string,
  dangers: readonly Danger[] = [],
): Change {
  return { kind, subject: { kind: 'installation', name, cluster }, text, dangers, unit: `installation/${name}` };
}

function aboutComponent(
  component: ComponentFacts,
  kind: ChangeKind,
  text: string,
  dangers: readonly Danger[] = [],
): Change {
  const name = `${component.installation}/${component.name}`;
  const subject = { kind: 'component', name, cluster: component.cluster } as const;
  return { kind, subject, text, dangers, unit: `component/${name}` };
}
