/** Something of the control plane is not to be had: what is wrong and what to do, each fit for one line. */
export interface Missing {
  readonly kind: 'missing';
  readonly reason: string;
  readonly remedy: string;
}

export function missing(reason: string, remedy: string): Missing {
  return { kind: 'missing', reason, remedy };
}
