// The functions behind the command, for programs. Each is documented where it is written.

export type { Compile, CompileAnswer, CompileRequest } from './commit/build.ts';
export {
  type CommitOptions,
  type CommitPlace,
  type CommitProgress,
  type CommitResult,
  commit,
} from './commit/commit.ts';
export { type Compared, type CompareOptions, compare } from './compare.ts';
export { type ClaimInText, claimsIn, setClaimState } from './edit/claim.ts';
export type { PlainScalar, PlainValue } from './edit/plain-value.ts';
export { EditRefused } from './edit/refused.ts';
export { appendToList, editScalar, type Placement } from './edit/scalar.ts';
export { InternalError } from './internal-error.ts';
export {
  type Checked,
  type CompileOptions,
  check,
  type FileChange,
  type OutputPlace,
  type Problems,
  type ProgressEvent,
  type StaleFile,
  type Synthesized,
  synth,
  validate,
} from './pipeline.ts';
export { type Change, type ChangeKind, type ChangeSubject, changeWords } from './plan/change.ts';
export { changes } from './plan/changes.ts';
export { type Danger, type DangerKind, dangerWords } from './plan/danger.ts';
export type {
  ClaimFacts,
  ComponentFacts,
  Facts,
  InstallationFacts,
  MaintenanceFacts,
  RecordFacts,
  ShutdownFacts,
  SystemFacts,
} from './plan/facts.ts';
export type { FieldDiff, ObjectDiff } from './plan/object-diff.ts';
export type { ClaimCount, Deadline, Plan, PlannedChange, UnitDiff } from './plan/plan.ts';
export type { Approval, Need, PolicyRule } from './plan/policy.ts';
export { type CommitWords, commitWords } from './plan/subject.ts';
export type {
  BlockRehearsal,
  Limit,
  LimitCode,
  Move,
  NodeRehearsal,
  Nowhere,
  Rehearsal,
  RehearsedBlocker,
  RehearsedCluster,
  RehearsedUninstallBlocker,
  RemovedPod,
  SleepRehearsal,
  Span,
  UninstallRehearsal,
} from './rehearsal/rehearsal.ts';
export type { Snapshot } from './rehearsal/snapshot.ts';
export { type ReadSnapshot, readSnapshot, snapshotLines } from './rehearsal/snapshot-text.ts';
export { type Rehearsed, type RehearseOptions, rehearse, type UnknownCluster } from './rehearse.ts';
export { type FormOptions, type PlanForm, planForms, planIn, type Refused, refusalIn } from './report/forms.ts';
export { githubAnnotations } from './report/github.ts';
export { problemText } from './report/problems.ts';
export { problemsJson } from './report/problems-json.ts';
export { sarif } from './report/sarif.ts';
export { plainStyle, type Style } from './report/style.ts';
export type { BackingStore, ClaimState, GitTarget, Seconds } from './resolve/state.ts';
export { type CodeEntry, type ProblemCode, problemCodes } from './validate/codes.ts';
export type { DataPath, Finding, Location, Origin, Place, Problem } from './validate/finding.ts';
export { jsonSchemas } from './validate/json-schemas.ts';
export { version } from './version.ts';
