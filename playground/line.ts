/** Something that happened, and who did it or saw it. */
export interface Line {
  readonly who: 'git' | 'quiesce' | 'argo cd' | 'flux' | 'cluster' | 'sidecar' | 'runner';
  readonly text: string;
  readonly tone?: 'good' | 'bad';
}
