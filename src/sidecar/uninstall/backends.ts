import { kindKey } from './kinds.ts';
import type { Backend, SeenObject } from './observation.ts';
import type { Survey } from './survey.ts';

interface RawSlice {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean | null } }[] | null;
}

/** Which of the Services that the API server calls can be reached; asked for those that the plan speaks of. */
export async function withBackends(tools: Survey, objects: readonly SeenObject[]): Promise<readonly SeenObject[]> {
  const services = new Map<string, Promise<boolean>>();
  const isAlive = (backend: Backend): Promise<boolean> => {
    const key = `${backend.namespace}/${backend.name}`;
    const asked = services.get(key) ?? hasEndpoint(tools, backend);
    services.set(key, asked);
    return asked;
  };
  return Promise.all(
    objects.map(async (object) => {
      const { details } = object;
      if (details?.kind !== 'called' || !isOfConcern(tools, object)) return object;
      const asked = details.services.map(async (service) => ({ ...service, alive: await isAlive(service) }));
      return { ...object, details: { ...details, services: await Promise.all(asked) } };
    }),
  );
}

function isOfConcern({ plan }: Survey, { details, labels }: SeenObject): boolean {
  const isOurs = plan.components.some(({ own }) =>
    own.some((each) => Object.entries(each.labels).every(([key, value]) => labels[key] === value)),
  );
  if (isOurs) return true;
  const called = details?.kind === 'called' ? details.services : [];
  return called.some(({ namespace, name }) =>
    plan.components.some(({ listed }) =>
      listed.some((id) => id.kind === 'Service' && id.namespace === namespace && id.name === name),
    ),
  );
}

async function hasEndpoint(tools: Survey, { namespace, name }: Backend): Promise<boolean> {
  const kind = tools.discovery.kinds.find((each) => kindKey(each) === 'discovery.k8s.io/EndpointSlice');
  // Not known: then it counts as alive, and goes in the ordinary course.
  if (kind === undefined) return true;
  const listed = await tools.lister.list({
    kind,
    namespace,
    labelSelector: `kubernetes.io/service-name=${name}`,
    whole: true,
  });
  if (listed.kind === 'failed') return true;
  return (listed.items as readonly RawSlice[]).some(({ endpoints }) =>
    (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false),
  );
}
