import { type Fault, shown } from './fault.ts';

const semver = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** The first version whose chart and configuration file have the form that is rendered here. */
const oldest = { major: 0, minor: 20 };

/** A released version, exactly: it becomes an image tag, so no `v`, no range, no `latest`, no `+build`. */
export function versionFault(text: string): Fault | undefined {
  if (semver.test(text)) return undefined;
  const bare = text.replace(/^v/, '');
  return {
    code: 'version-invalid',
    message: `${shown(text)} is no version: three numbers, for example "0.30.1".`,
    remedy: semver.test(bare)
      ? `Write "${bare}".`
      : 'Pin one released version, so that the same commit always runs the same software.',
  };
}

export function vclusterVersionFault(text: string): Fault | undefined {
  const fault = versionFault(text);
  if (fault !== undefined) return fault;
  const [major = 0, minor = 0] = text.split('.').map(Number);
  if (major > oldest.major || minor >= oldest.minor) return undefined;
  return {
    code: 'version-too-old',
    message: `vCluster ${text} is older than ${oldest.major}.${oldest.minor}; its configuration has another form.`,
    remedy: `Use ${oldest.major}.${oldest.minor}.0 or later.`,
  };
}

/** A chart version as `helm template --version` takes it: one version, `v` and build metadata allowed, no range. */
export function chartVersionFault(text: string): Fault | undefined {
  if (semver.test(text.replace(/^v/, '').replace(/\+[0-9A-Za-z.-]+$/, ''))) return undefined;
  return {
    code: 'chart-version-floating',
    message: `${shown(text)} does not pin one chart version.`,
    remedy: 'Write one version, for example "1.4.2": a range would change what is rendered without a commit.',
  };
}
