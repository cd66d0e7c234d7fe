import { version } from '../version.ts';
import { indented, planCommentScript } from './plan-comment.ts';

/** Where there is no pipeline yet: it takes in the other file, which works as well from an existing one. */
export const gitlabRoot = `include:
  - local: .gitlab/quiesce.yml
`;

export function gitlabPipeline(branch: string): string {
  return `# Include this from .gitlab-ci.yml. It needs a project access token with the scopes api and write_repository in the
# masked variable QUIESCE_TOKEN: the job's own token may neither comment nor push.

# On a merge request: does the state compile, what will the change do, and is everything approved that the policy wants
# approved? The answer is one comment, kept up to date, with the whole report as an artifact, and findings at the lines.
quiesce plan:
  image: node:22-bookworm
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      changes: [state/**/*]
  variables:
    GIT_DEPTH: '0'
    QUIESCE: quiesce@${version}
    # Those that begin with quiesce-approve/ approve what a rule of the policy asks for.
    QUIESCE_LABELS: $CI_MERGE_REQUEST_LABELS
    LIST: $CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
    EDIT: $CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
    METHOD: PUT
    AUTH: 'private-token: $QUIESCE_TOKEN'
  script:
    # To have the change rehearsed on the cluster: a kubeconfig that may read and nothing else ("quiesce snapshot --rbac"
    # prints what it has to be allowed to) in a variable of type file, QUIESCE_SNAPSHOT_KUBECONFIG. Whoever may push a
    # branch here can read it; where that is too many, take the snapshot in a scheduled pipeline of the main branch, keep it
    # as an artifact, and fetch it here. Once for each host cluster.
    # - |
    #   if [ -n "$QUIESCE_SNAPSHOT_KUBECONFIG" ]; then
    #     npx --yes "$QUIESCE" snapshot --kubeconfig "$QUIESCE_SNAPSHOT_KUBECONFIG" --cluster main -o main.snapshot.gz
    #     SNAPSHOTS="--snapshot main.snapshot.gz --at $(date -u +%FT%TZ)"
    #   fi
    # Where the state does not compile, the comment says that, and the job fails after it.
    - |
      npx --yes "$QUIESCE" plan --from "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --to HEAD --objects --report-url "$CI_JOB_URL" \\
        --report plan.html --report plan.md --report gitlab=plan.quality.json \\
        --report status=plan.status $SNAPSHOTS || touch plan.failed
    - export RUN="$CI_JOB_URL"
    - export STATUS="$CI_API_V4_URL/projects/$CI_PROJECT_ID/statuses/\${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}"
    - |
      cat > comment.cjs << 'SCRIPT'
${indented(planCommentScript, 6)}
      SCRIPT
      if [ -n "$QUIESCE_TOKEN" ]; then node comment.cjs; else echo "No QUIESCE_TOKEN: the plan is above."; fi
    - test ! -e plan.failed
    - npx --yes "$QUIESCE" synth --dry-run
    - npx --yes "$QUIESCE" validate --policy --from "$CI_MERGE_REQUEST_DIFF_BASE_SHA" $SNAPSHOTS
  artifacts:
    when: always
    expose_as: Quiesce plan
    paths: [plan.html]
    reports:
      codequality: plan.quality.json

# After the merge: compile, and commit out/ where its bytes changed.
quiesce commit:
  image: node:22-bookworm
  # One at a time; one that waits sees everything that was merged meanwhile.
  resource_group: quiesce-commit
  rules:
    - if: $CI_COMMIT_BRANCH == "${branch}" && $CI_PIPELINE_SOURCE != "merge_request_event"
      changes: [state/**/*]
  script:
    - git checkout -B "$CI_COMMIT_BRANCH"
    - git remote set-url origin "$CI_SERVER_PROTOCOL://quiesce:$QUIESCE_TOKEN@$CI_SERVER_HOST:$CI_SERVER_PORT/$CI_PROJECT_PATH.git"
    - npx --yes quiesce@${version} commit
`;
}
