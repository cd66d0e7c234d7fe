import { describe, expect, it } from 'vitest';
import { type Change, changeWords } from '../../src/plan/change.ts';
import { changeLocation, type PlacedUnit } from '../../src/plan/change-location.ts';
import { changes } from '../../src/plan/changes.ts';
import type { Facts } from '../../src/plan/facts.ts';
import { claim, component, installation, maintenance, node, settings } from './facts.ts';

function unit(id: string, facts: Facts): PlacedUnit {
  return { id, facts, origin: { file: `state/${id}.yaml`, document: 0 } };
}

const units = new Map(
  [
    unit('claim/ada', claim('ada')),
    unit('maintenance/edge', maintenance()),
    unit('installation/shop', installation()),
    unit('component/shop/web', component('web')),
    unit('settings', settings({})),
  ].map((each) => [each.id, each]),
);

const places = (before: readonly Facts[], after: readonly Facts[]) =>
  changes(before, after).map((change) => {
    const at = changeLocation(change, units);
    return at.kind === 'value' ? `${at.file} ${at.path.join('.')}` : at.kind;
  });

describe('changeLocation', () => {
  it.each<readonly [string, readonly Facts[], readonly Facts[], string]>([
    ['a claim that sleeps', [claim('ada')], [claim('ada', { state: 'Sleeping' })], 'state/claim/ada.yaml spec.state'],
    ['a new claim', [], [claim('ada')], 'state/claim/ada.yaml metadata.name'],
    ['a claim that is gone', [claim('bob')], [], 'nowhere'],
    [
      'a node',
      [maintenance()],
      [maintenance({ nodes: [node('10.0.0.1')] })],
      'state/maintenance/edge.yaml spec.maintenanceBlocks.cidrBlocks',
    ],
    [
      'a deadline of maintenance',
      [maintenance()],
      [maintenance({ deadlineSeconds: 60 })],
      'state/maintenance/edge.yaml metadata.annotations.baremetal.cluster.gke.io/maintenance-mode-deadline-seconds',
    ],
    [
      'a component',
      [installation(), component('web')],
      [installation(), component('web', { digest: 'd2' })],
      'state/component/shop/web.yaml spec.components.1.name',
    ],
    [
      'a component that was taken off the list',
      [installation(), component('db')],
      [installation()],
      'state/installation/shop.yaml spec.components.0.name',
    ],
    [
      'a setting',
      [settings({ 'removal.maxShare': '0.2' })],
      [settings({ 'removal.maxShare': '0.5' })],
      'state/settings.yaml spec.removal.maxShare',
    ],
    [
      'a setting of a cluster',
      [settings({ 'clusters.west.server': 'a' })],
      [settings({ 'clusters.west.server': 'b' })],
      'state/settings.yaml spec.clusters',
    ],
  ])('%s', (_, before, after, place) => {
    expect(places(before, after)).toEqual([place]);
  });

  it('every kind is somewhere when its unit is', () => {
    for (const kind of Object.keys(changeWords) as Change['kind'][]) {
      const subject = { kind: 'claim', name: 'ada', cluster: 'west' } as const;
      const at = changeLocation({ kind, subject, text: '', dangers: [], unit: 'claim/ada' }, units);
      expect(at).toMatchObject({ kind: 'value', file: 'state/claim/ada.yaml' });
    }
  });
});
