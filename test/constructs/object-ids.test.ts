import { describe, expect, test } from 'vitest';
import { applyOrder, isClusterScoped, uninstallOrder } from '../../constructs/object-ids.ts';

const kinds = [
  'Service',
  'Deployment',
  'Namespace',
  'VClusterClaim',
  'Role',
  'Ingress',
  'CustomResourceDefinition',
  'Secret',
];

describe('the order of kinds', () => {
  test('to apply in: what others need first, custom resources last', () => {
    expect([...kinds].sort((a, b) => applyOrder(a) - applyOrder(b))).toEqual([
      'Namespace',
      'Secret',
      'CustomResourceDefinition',
      'Role',
      'Service',
      'Deployment',
      'Ingress',
      'VClusterClaim',
    ]);
  });

  test('to uninstall in: custom resources while their CRD lives, permissions after the workloads, the namespace last', () => {
    expect([...kinds].sort((a, b) => uninstallOrder(a) - uninstallOrder(b))).toEqual([
      'VClusterClaim',
      'Ingress',
      'Service',
      'Deployment',
      'Role',
      'CustomResourceDefinition',
      'Secret',
      'Namespace',
    ]);
  });

  test('webhook configurations go before the Service behind them', () => {
    expect(uninstallOrder('ValidatingWebhookConfiguration')).toBeLessThan(uninstallOrder('Service'));
  });
});

test('cluster-scoped kinds are known; what is not known has a namespace', () => {
  expect(['ClusterRole', 'Namespace', 'VClusterClaim'].every(isClusterScoped)).toBe(true);
  expect(['Role', 'Certificate'].some(isClusterScoped)).toBe(false);
});
