import type { Forge, Repository } from './forge.ts';
import { cdk8sConfig, exampleClaim, gitignore, readme, schemaComment, settingsText } from './state-files.ts';
import { forgejoCommit, forgejoPlan } from './workflow-forgejo.ts';
import { githubCommit, githubPlan } from './workflow-github.ts';
import { gitlabPipeline, gitlabRoot } from './workflow-gitlab.ts';

export interface SkeletonFile {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  /** What to do by hand when another file is there already; absent when nothing is missed. */
  readonly otherwise?: string;
}

export interface SkeletonOptions {
  readonly repository: Repository;
  readonly forge: Forge | 'none';
  readonly cdk8s: boolean;
  /** JSON Schemas, by file name. */
  readonly schemas: readonly { readonly name: string; readonly text: string }[];
}

/** Every file of a new instance, in the order in which they are told. */
export function skeletonFiles(options: SkeletonOptions): readonly SkeletonFile[] {
  return [
    {
      path: 'state/settings.yaml',
      text: `${schemaComment('schemas/settings.schema.json')}${settingsText(options.repository)}`,
    },
    {
      path: 'state/claims/hello.yaml',
      text: `${schemaComment('../schemas/vclusterclaim.schema.json')}${exampleClaim}`,
    },
    ...options.schemas.map(({ name, text }) => ({ path: `state/schemas/${name}`, text })),
    ...workflows(options.forge, options.repository.branch),
    ...(options.cdk8s ? [{ path: 'cdk8s.yaml', text: cdk8sConfig }] : []),
    { path: '.gitignore', text: gitignore, otherwise: 'Add ".quiesce/" to it.' },
    { path: 'README.md', text: readme },
  ];
}

function workflows(forge: Forge | 'none', branch: string): readonly SkeletonFile[] {
  switch (forge) {
    case 'github':
      return [
        { path: '.github/workflows/quiesce-plan.yaml', text: githubPlan() },
        { path: '.github/workflows/quiesce-commit.yaml', text: githubCommit(branch) },
      ];
    case 'forgejo':
      return [
        { path: '.forgejo/workflows/quiesce-plan.yaml', text: forgejoPlan() },
        { path: '.forgejo/workflows/quiesce-commit.yaml', text: forgejoCommit(branch) },
      ];
    case 'gitlab':
      return [
        { path: '.gitlab/quiesce.yml', text: gitlabPipeline(branch) },
        {
          path: '.gitlab-ci.yml',
          text: gitlabRoot,
          otherwise: 'Include ".gitlab/quiesce.yml" from it (include: local).',
        },
      ];
    case 'none':
      return [];
  }
}
