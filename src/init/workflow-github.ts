import { version } from '../version.ts';
import { snapshotStep } from './plan-comment.ts';

export function githubPlan(): string {
  return `# On a pull request: does the state compile, what will the change do, and is everything approved that the policy wants
# approved? The answer is one comment, kept up to date, with the whole report as an artifact, and annotations at the lines.
name: Quiesce plan
on:
  pull_request:
    types: [opened, synchronize, reopened, labeled, unlabeled]
    paths: ['state/**']
permissions:
  contents: read
  pull-requests: write
  statuses: write
concurrency:
  group: quiesce-plan-\${{ github.event.pull_request.number }}
  cancel-in-progress: true
env:
  QUIESCE: quiesce@${version}
  # Those that begin with quiesce-approve/ approve what a rule of the policy asks for.
  QUIESCE_LABELS: \${{ join(github.event.pull_request.labels.*.name, ',') }}
jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
      # The pull request merged; the branch that it is merged into is HEAD^1. All commits, since their trailers may approve.
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 22
${snapshotStep(6)}
      - name: Plan
        env:
          RUN: \${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_id }}
        run: |
          npx --yes "$QUIESCE" plan --from HEAD^1 --to HEAD --objects --format github --report-url "$RUN" \\
            --report plan.html --report plan.md --report status=plan.status $SNAPSHOTS
      - name: Keep the report
        if: \${{ !cancelled() }}
        uses: actions/upload-artifact@v4
        with:
          name: quiesce-plan
          path: plan.html
          if-no-files-found: ignore
      - name: Comment
        # Where the state does not compile, the comment says that. The token of a fork's pull request must not comment:
        # its plan is in the summary of the run.
        if: \${{ !cancelled() }}
        env:
          GH_TOKEN: \${{ github.token }}
          REPOSITORY: \${{ github.repository }}
          NUMBER: \${{ github.event.pull_request.number }}
          SHA: \${{ github.event.pull_request.head.sha }}
          RUN: \${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_id }}
          IS_FORK: \${{ github.event.pull_request.head.repo.full_name != github.repository }}
        run: |
          cat plan.md >> "$GITHUB_STEP_SUMMARY"
          if [ "$IS_FORK" = true ]; then exit 0; fi
          id=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" \\
            --jq '.[] | select(.body | startswith("<!-- quiesce-plan -->")) | .id' | head -n 1)
          if [ -n "$id" ]; then
            gh api --silent -X PATCH "repos/$REPOSITORY/issues/comments/$id" -F body=@plan.md
          else
            gh api --silent "repos/$REPOSITORY/issues/$NUMBER/comments" -F body=@plan.md
          fi
          gh api --silent "repos/$REPOSITORY/statuses/$SHA" -f state=success -f context=quiesce/plan \\
            -f description="$(cat plan.status)" -f target_url="$RUN"
      - name: Compile
        run: npx --yes "$QUIESCE" synth --dry-run
      - name: Approvals
        run: npx --yes "$QUIESCE" validate --policy --from HEAD^1 $SNAPSHOTS
`;
}

export function githubCommit(branch: string): string {
  return `# After the merge: compile, and commit out/ where its bytes changed.
name: Quiesce commit
on:
  push:
    branches: ['${branch}']
    paths: ['state/**']
  workflow_dispatch:
permissions:
  contents: write
# One at a time; one that waits sees everything that was merged meanwhile.
concurrency:
  group: quiesce-commit
  cancel-in-progress: false
jobs:
  commit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: '${branch}'
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # On a protected branch, this workflow's token must be allowed to push; or set git.target.push to branch in the
      # settings and merge what it pushes.
      - run: npx --yes quiesce@${version} commit
`;
}
