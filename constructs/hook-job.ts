import type { JobSpec } from '../src/resolve/state.ts';

/** A Job of the user's, as our resources carry it. */
export function hookJob({ name, image, command, serviceAccount, timeout }: JobSpec) {
  return {
    name,
    image,
    command: [...command],
    ...(serviceAccount !== undefined && { serviceAccount }),
    timeoutSeconds: timeout,
  };
}
