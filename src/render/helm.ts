import { execFile } from 'node:child_process';
import type { HelmSource } from '../resolve/state.ts';
import type { Finding } from '../validate/finding.ts';

export type HelmAnswer =
  | { readonly kind: 'rendered'; readonly text: string }
  | { readonly kind: 'failed'; readonly finding: Omit<Finding, 'at'> };

/** A chart that hangs on the network must not hang a compile. */
const LIMIT_MS = 120_000;

/**
 * `helm template` of one release. The chart's own tests are left out; CRDs are included, since nothing else would
 * install them. Helm is `$QUIESCE_HELM` or the `helm` on the path.
 */
export async function helmTemplate(
  source: HelmSource,
  release: { readonly name: string; readonly namespace: string },
  root: string,
): Promise<HelmAnswer> {
  const helm = process.env.QUIESCE_HELM ?? 'helm';
  const args = ['template', release.name, source.chart, '--namespace', release.namespace];
  if (source.repository !== undefined) args.push('--repo', source.repository);
  if (source.version !== undefined) args.push('--version', source.version);
  args.push('--include-crds', '--skip-tests', '--values', '-');
  return new Promise((done) => {
    const child = execFile(
      helm,
      args,
      { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, timeout: LIMIT_MS },
      (error, stdout, stderr) =>
        done(error === null ? { kind: 'rendered', text: stdout } : failed(error, stderr, source)),
    );
    child.stdin?.on('error', () => {}); // helm may end before it has read its values; its exit code tells
    child.stdin?.end(JSON.stringify(source.values));
  });
}

function failed(
  error: Error & { readonly code?: unknown; readonly killed?: boolean },
  stderr: string,
  source: HelmSource,
): HelmAnswer {
  if (error.code === 'ENOENT') {
    return {
      kind: 'failed',
      finding: {
        code: 'helm-missing',
        message: `The chart ${source.chart} is rendered with Helm, and no helm command was found.`,
        remedy: 'Install Helm 3 or 4 (https://helm.sh/docs/intro/install), or name one in QUIESCE_HELM.',
      },
    };
  }
  const reason = error.killed === true ? `no answer within ${LIMIT_MS / 1000} s` : (reasonIn(stderr) ?? error.message);
  return {
    kind: 'failed',
    finding: {
      code: 'helm-failed',
      message: `helm template of ${source.chart} failed: ${reason}`,
      remedy: 'Run the same chart with "helm template" to see more; check its name, version and values.',
    },
  };
}

/** Helm puts warnings before its error and advice after it. */
function reasonIn(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Use --debug'));
  return lines.find((line) => line.startsWith('Error: '))?.slice('Error: '.length) ?? lines.at(-1);
}
