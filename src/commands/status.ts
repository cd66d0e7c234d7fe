import type { KubeClient } from '../sidecar/kube/client.ts';
import { statusText } from '../sidecar/status-text.ts';
import { readStatus, type StatusView, watchStatus } from '../sidecar/status-view.ts';
import { type ClusterOptions, connectCluster } from './cluster-connection.ts';
import type { Context, Status } from './context.ts';

export interface StatusOptions extends ClusterOptions {
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `quiesce status` */
export async function status(names: readonly string[], options: StatusOptions, context: Context): Promise<Status> {
  const { client } = connectCluster(options, context);
  if (options.watch === true) return watch(client, names, options, context);
  const view = only(names, await readStatus(client));
  const { terminal } = context;
  const isWell = view.unread.length === 0;
  if (options.json === true) terminal.answer(`${JSON.stringify({ ok: isWell, ...view }, undefined, 2)}\n`);
  else terminal.answer(statusText(view, { now: Date.now(), style: terminal.style }));
  return isWell ? 0 : 1;
}

/** Without names: everything. */
function only(names: readonly string[], view: StatusView): StatusView {
  if (names.length === 0) return view;
  const isNamed = ({ name }: { readonly name: string }) => names.includes(name);
  const { maintenance, claims, installations, shutdowns } = view;
  return {
    ...view,
    maintenance: maintenance.filter(isNamed),
    claims: claims.filter(isNamed),
    installations: installations.filter(isNamed),
    shutdowns: shutdowns.filter(isNamed),
  };
}

/** Nobody reads faster. */
const drawEveryMs = 500;
/** "Since" and "deadline" go on although nothing changes. */
const redrawEveryMs = 5000;
const clearScreen = '\u001b[H\u001b[2J\u001b[3J';

/** Until it is interrupted: redrawn in place on a terminal, else one answer after the other. */
async function watch(
  client: KubeClient,
  names: readonly string[],
  { json = false }: StatusOptions,
  { terminal }: Context,
): Promise<Status> {
  let latest: (() => StatusView) | undefined;
  let isNew = false;
  const isScreen = process.stdout.isTTY && !json;
  const draw = () => {
    if (latest === undefined) return;
    isNew = false;
    const view = only(names, latest());
    if (json) terminal.answer(`${JSON.stringify(view)}\n`);
    else
      terminal.answer(`${isScreen ? clearScreen : ''}${statusText(view, { now: Date.now(), style: terminal.style })}`);
  };
  const drawing = setInterval(() => isNew && draw(), drawEveryMs);
  const redrawing = setInterval(() => isScreen && draw(), redrawEveryMs);
  try {
    await watchStatus(client, new AbortController().signal, (view) => {
      latest = view;
      isNew = true;
    });
  } finally {
    clearInterval(drawing);
    clearInterval(redrawing);
  }
  return 0;
}
