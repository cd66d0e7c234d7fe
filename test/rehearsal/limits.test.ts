import { expect, it } from 'vitest';
import { sha256 } from '../../src/load/blob.ts';
import { rehearseCluster } from '../../src/rehearsal/rehearse-cluster.ts';
import { block, controller, podsOf, snapshot, takenAt } from './sample.ts';

const nothing = { installations: [], claims: [] };

it.each(['ReplicaSet', 'StatefulSet'])('a %s that lacks a milliard pods gets a thousand, and is named', (kind) => {
  const web = controller(kind, 'web', 2);
  const mistyped = { ...web, replicas: 1_000_000_000, isParallel: true as const };
  const { maintenance, limits } = rehearseCluster({
    snapshot: snapshot({ pods: podsOf(web, [1, 2]), controllers: [mistyped] }),
    cluster: 'main',
    from: 'before',
    to: 'after',
    before: { ...nothing, blocks: [block([])] },
    after: { ...nothing, blocks: [block([1])] },
    at: takenAt,
    unrehearsed: [],
    hash: sha256,
  });
  expect(maintenance.flatMap(({ nodes }) => nodes.map(({ by }) => by))).toEqual(['drained']);
  expect(limits).toContainEqual({
    code: 'not-rehearsed',
    message: 'More than 1000 pods of each of these are missing: no more than that are made.',
    about: [`${kind} shop/web`],
  });
});
