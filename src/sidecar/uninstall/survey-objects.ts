import { isRemovable } from './discovery.ts';
import { groupOf, kindKey } from './kinds.ts';
import type { NamespaceContent, SeenObject, Unread } from './observation.ts';
import { seenObject, wholeKinds } from './project.ts';
import type { Survey } from './survey.ts';

export async function readSwept(tools: Survey): Promise<readonly SeenObject[]> {
  const asks = tools.plan.components.flatMap((component) =>
    component.sweeps.map(async ({ apiGroups, kinds, selector, namespace }) => {
      const served = tools.discovery.kinds.filter(
        (kind) =>
          tools.isAsked(kind) &&
          isRemovable(kind) &&
          apiGroups.includes(groupOf(kind.apiVersion)) &&
          kinds.includes(kind.kind),
      );
      for (const { what, status, why } of tools.discovery.unserved) {
        if (apiGroups.includes(groupOf(what)))
          for (const kind of kinds) tools.unread.push({ what: `${what}/${kind}`, status, why });
      }
      const found = await Promise.all(
        served.map((kind) =>
          tools.list({
            kind,
            labelSelector: selector,
            whole: wholeKinds.includes(kind.kind),
            ...(namespace !== undefined && { namespace }),
          }),
        ),
      );
      return found.flat().map((object) => ({ ...object, sweptBy: [component.name] }));
    }),
  );
  return (await Promise.all(asks)).flat();
}

/** Whoever's: data that something of ours owns, or a StatefulSet of ours has made, has none of our labels. */
export async function readClaims(tools: Survey): Promise<readonly SeenObject[]> {
  const kind = tools.discovery.kinds.find((each) => kindKey(each) === '/PersistentVolumeClaim');
  if (kind === undefined || !tools.isAsked(kind)) return [];
  const namespaces = new Set(
    tools.plan.components
      .filter(({ renderedOnly }) => renderedOnly !== true)
      .flatMap(({ namespace, listed, volumeClaims }) => [
        namespace,
        ...listed.flatMap((id) => id.namespace ?? []),
        ...volumeClaims.map((template) => template.namespace),
      ]),
  );
  return (await Promise.all([...namespaces].map((namespace) => tools.list({ kind, namespace })))).flat();
}

/** Whoever's: an operator makes its webhooks itself, and what calls a Service of ours is told by that alone. */
export async function readCalled(tools: Survey): Promise<readonly SeenObject[]> {
  if (!tools.plan.components.some(({ listed }) => listed.some(({ kind }) => kind === 'Service'))) return [];
  const kinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService'];
  const served = tools.discovery.kinds.filter((each) => kinds.includes(each.kind) && tools.isAsked(each));
  return (await Promise.all(served.map((kind) => tools.list({ kind, whole: true })))).flat();
}

/** Every kind that can be deleted with the namespace. */
export async function readContent(tools: Survey, namespace: string): Promise<NamespaceContent> {
  const at = tools.now();
  const kinds = tools.discovery.kinds.filter(
    ({ resource, deletable, kind }) => resource.namespaced && deletable && kind !== 'Event',
  );
  const unread: Unread[] = [];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const listed = await tools.lister.list({ kind, namespace });
      if (listed.kind === 'listed') return listed.items.map((item) => seenObject(kind, item));
      unread.push(listed.unread);
      return [];
    }),
  );
  return { namespace, at, objects: found.flat(), unread };
}
