import { type ComponentView, done, type StepOutcome, waiting } from './view.ts';

interface Policied {
  readonly resourcePolicy?: string;
}

/** As Helm reads `helm.sh/resource-policy`: trimmed, in any case. */
export function isKept({ resourcePolicy }: Policied): boolean {
  return resourcePolicy?.trim().toLowerCase() === 'keep';
}

/** Helm then neither deletes the object nor says so; whoever wrote it meant one of the two. */
export function isMisspelled({ resourcePolicy }: Policied): boolean {
  return resourcePolicy !== undefined && resourcePolicy.trim() !== '' && !isKept({ resourcePolicy });
}

/** Before anything goes. */
export function checkPolicies({ objects }: ComponentView): StepOutcome {
  const misspelled = objects.filter(isMisspelled);
  if (misspelled.length === 0) return done;
  return waiting('reading resource policies', {
    blockers: misspelled.map((object) => ({
      code: 'resource-policy',
      who: 'object-owner',
      permanent: true,
      object: { apiVersion: object.apiVersion, kind: object.kind, ...place(object), name: object.name },
      message: `${object.kind} ${object.name} has the annotation helm.sh/resource-policy with the value "${object.resourcePolicy}", which Helm does not know: write "keep" or remove it.`,
    })),
  });
}

function place({ namespace }: { readonly namespace?: string }) {
  return namespace === undefined ? {} : { namespace };
}
