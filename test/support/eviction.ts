import type { Access } from './access.ts';
import { type ApiAnswer, send } from './api.ts';
import type { ObjectId } from './objects.ts';

/** Asks for the eviction of a Pod as a drain does; the answer is the test's matter, whatever it is. */
export async function requestEviction(access: Access, { metadata }: ObjectId, uid?: string): Promise<ApiAnswer> {
  const { name, namespace = 'default' } = metadata;
  const deleteOptions = uid === undefined ? {} : { preconditions: { uid } };
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
  return send(access, { method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body });
}
