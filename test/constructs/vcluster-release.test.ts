import { describe, expect, test } from 'vitest';
import { minorVersion, oldestBuiltInMinor, vclusterRelease } from '../../constructs/vcluster-release.ts';

describe('what a release of vCluster runs with', () => {
  test.each([
    ['0.27.0', 'v1.32.1', '3.5.21-0'],
    ['0.30.1', 'v1.33.4', '3.5.21-0'],
    ['0.31.0-alpha.2', 'v1.34.0', '3.6.4-0'],
    ['0.34.3', 'v1.35.0', '3.6.7-0'],
    ['0.99.0', 'v1.36.0', '3.6.7-0'],
    ['1.0.0', 'v1.36.0', '3.6.7-0'],
  ])('%s: Kubernetes %s, etcd %s', (version, kubernetes, etcd) => {
    expect(vclusterRelease(version)).toEqual({
      controlPlane: `ghcr.io/loft-sh/vcluster-pro:${version}`,
      kubernetes: `ghcr.io/loft-sh/kubernetes:${kubernetes}`,
      etcd: `registry.k8s.io/etcd:${etcd}`,
    });
  });

  test('older ones are told by their minor version', () => {
    expect(minorVersion('v0.26.3')).toBeLessThan(oldestBuiltInMinor);
    expect(minorVersion('1.0.0')).toBeUndefined();
  });
});
