import { daysFromNow } from './lab.ts';

/** A claim of one owner; what the mail server does with mail for them is in the address. */
export function ownedBy(
  name: string,
  email: string,
  options: { readonly state?: string; readonly more?: string } = {},
): string {
  return `# Claim of ${name}
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ${name}
spec:
  owner: { name: Ada Example, email: ${email} } # ask first
  state: ${options.state ?? 'Running'}   # as agreed
  cluster: main
  backingStore: embeddedEtcd
  replicas: 1
${options.more ?? ''}`;
}

export interface RecordOptions {
  /** Days from now, negative for ago. */
  readonly firstSeen: number;
  readonly sleep: number;
  readonly delete: number;
  readonly warnings?: readonly {
    readonly about: 'Sleep' | 'Deletion';
    readonly delivered: number;
    readonly to: string;
  }[];
  readonly asleep?: number;
}

/** A record as earlier runs would have left it. */
export function recordOf(name: string, options: RecordOptions): string {
  const deadlines = { Sleep: daysFromNow(options.sleep), Deletion: daysFromNow(options.delete) };
  const warnings = (options.warnings ?? []).map(
    ({ about, delivered, to }) => `    - about: ${about}
      deadline: "${deadlines[about]}"
      deliveredAt: "${daysFromNow(delivered)}"
      to: [${to}]
`,
  );
  const asleep =
    options.asleep === undefined
      ? ''
      : `  asleep:\n    at: "${daysFromNow(options.asleep)}"\n    deadline: "${deadlines.Sleep}"\n`;
  return `apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata:
  name: ${name}
spec:
  firstSeen: "${daysFromNow(options.firstSeen)}" # seen by hand
  deadlines:
    sleep: "${deadlines.Sleep}"
    delete: "${deadlines.Deletion}"
${warnings.length === 0 ? '' : `  warnings:\n${warnings.join('')}`}${asleep}`;
}
