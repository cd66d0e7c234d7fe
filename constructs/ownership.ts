/**
 * By these the sidecar finds what was rendered for an installation, also when the list in git is gone. On the objects
 * only, never in selectors or pod templates: the first are immutable, the second would replace the pods.
 */
export const installationLabel = 'quiesce.dev/installation';
export const componentLabel = 'quiesce.dev/component';

/** Labels of our own programs; the name alone is their selector. */
export function programLabels(program: string): Record<string, string> {
  return { ...programSelector(program), 'app.kubernetes.io/part-of': 'quiesce' };
}

export function programSelector(program: string): Record<string, string> {
  return { 'app.kubernetes.io/name': program };
}
