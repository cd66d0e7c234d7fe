import type { Instant } from '../instant.ts';
import type { Language } from '../mail/language.ts';
import type { Log } from '../sidecar/log.ts';
import { formToken, isFormToken, isFromElsewhere } from './guard.ts';
import { type KeptPresses, pressId } from './kept-presses.ts';
import type { KeyRing } from './keys.ts';
import { languageFor } from './languages.ts';
import { checkLink, type Link } from './link-token.ts';
import type { KeepaliveMetrics } from './metrics.ts';
import { pageHtml } from './page.ts';
import type { Press } from './press.ts';
import { clientKey, openRateLimit } from './rate-limit.ts';
import type { Renewals } from './renewals.ts';
import type { Answer, App, Asked } from './serve.ts';
import type { Sight, Sights } from './sights.ts';
import { statusOf, type View, viewOfSettled, viewOfSight } from './view.ts';
import type { Refusal } from './words.ts';

export interface AppOptions {
  readonly url: string;
  readonly keys: () => KeyRing;
  readonly sights: Sights;
  readonly renewals: Renewals;
  readonly kept: Pick<KeptPresses, 'find'>;
  readonly metrics: Pick<KeepaliveMetrics, 'pages'>;
  readonly log: Log;
  readonly now: () => Instant;
  readonly perMinute: number;
  readonly proxies: number;
}

/** A link has about 300 characters. */
const longestToken = 2_000;
/** A button that is pressed again and again does the same every time. */
const pressesPerMinute = 10;

export function keepaliveApp(options: AppOptions): App {
  const desk = openDesk(options);
  const links = `${new URL(options.url).pathname.replace(/\/+$/, '')}/renew/`;
  return async (asked) => {
    const { method, path } = asked;
    const token = path.startsWith(links) ? path.slice(links.length) : undefined;
    if (path === '/robots.txt')
      return { status: 200, type: 'text/plain', body: 'User-agent: *\nDisallow: /\n', headers: {} };
    try {
      if (token === undefined || token.includes('/')) return desk.refuse(asked, 'no-link');
      if (method === 'GET' || method === 'HEAD') return await desk.show(asked, token);
      return method === 'POST' ? await desk.press(asked, token) : desk.refuse(asked, 'no-link');
    } catch (error) {
      // Without the address: whoever reads the log could renew.
      options.log.error({ error }, 'a page failed');
      return desk.refuse(asked, 'mistake');
    }
  };
}

interface Desk {
  show(asked: Asked, token: string): Promise<Answer>;
  press(asked: Asked, token: string): Promise<Answer>;
  refuse(asked: Asked, refusal: Refusal): Answer;
}

type Received =
  | { readonly kind: 'link'; readonly link: Link; readonly token: string; readonly press: Press }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly claim?: string };

function openDesk(options: AppOptions): Desk {
  const { sights, renewals, kept } = options;
  const { receive, mayPress } = openReception(options);
  const refuse = (asked: Asked, refusal: Refusal, claim?: string): Answer =>
    answer(asked, options, { kind: 'refused', refusal, ...(claim !== undefined && { claim }) });
  return {
    refuse,
    show: async (asked, token) => {
      const received = await receive(asked, token);
      if (received.kind === 'refused') return refuse(asked, received.refusal, received.claim);
      const { link, press } = received;
      const waiting = renewals.isWaiting(press.id) ? kept.find(press.id) : undefined;
      if (waiting !== undefined) return answer(asked, options, { kind: 'kept', claim: link.claim, since: waiting.at });
      const sight = await sights.see(press);
      const staleAt = sight !== undefined && sights.trouble() !== undefined ? sight.at : undefined;
      return answer(asked, options, viewOfSight(link, sight, staleAt), { sight, token });
    },
    press: async (asked, token) => {
      if (isFromElsewhere(asked.header, new URL(options.url).origin)) return refuse(asked, 'cross-site');
      const received = await receive(asked, token);
      if (received.kind === 'refused') return refuse(asked, received.refusal, received.claim);
      const { link, press } = received;
      const refusal = await mayPress(asked, press.id, token);
      if (refusal !== undefined) return refuse(asked, refusal, link.claim);
      const settled = await renewals.press(press);
      const sight = settled.kind === 'settled' ? { ...settled, at: options.now() } : undefined;
      const since = kept.find(press.id)?.at ?? press.at;
      return answer(asked, options, viewOfSettled(link, settled, since), { sight });
    },
  };
}

/** Who is let in: by how much they ask, by their link, and by the form. */
function openReception(options: AppOptions) {
  const { keys, now, perMinute, proxies } = options;
  const requests = openRateLimit(perMinute);
  const failures = openRateLimit(Math.ceil(perMinute / 20));
  const presses = openRateLimit(pressesPerMinute);
  return {
    receive: async ({ socket, header }: Asked, token: string): Promise<Received> => {
      const client = clientKey({ socket, forwardedFor: header('x-forwarded-for'), proxies });
      if (!requests.take(client, now())) return { kind: 'refused', refusal: 'too-many' };
      const received = await receiveLink(token, options);
      const isGuess = received.kind === 'refused' && received.claim === undefined;
      return isGuess && !failures.take(client, now()) ? { kind: 'refused', refusal: 'too-many' } : received;
    },
    mayPress: async ({ body }: Asked, id: string, link: string): Promise<Refusal | undefined> => {
      const form = new URLSearchParams(await body()).get('form') ?? '';
      if (!isFormToken(keys(), form, { link, now: now() })) return 'old-form';
      return presses.take(id, now()) ? undefined : 'too-many';
    },
  };
}

async function receiveLink(token: string, { keys, url, now }: AppOptions): Promise<Received> {
  if (token.length > longestToken) return { kind: 'refused', refusal: 'forged' };
  const checked = await checkLink(token, { keys: keys(), url, now: now() });
  switch (checked.kind) {
    case 'valid': {
      const { link } = checked;
      return { kind: 'link', link, token, press: { id: pressId(link), link, at: now() } };
    }
    case 'expired':
      return { kind: 'refused', refusal: 'expired', claim: checked.link.claim };
    case 'foreign':
      return { kind: 'refused', refusal: 'other-page' };
    default:
      return { kind: 'refused', refusal: checked.kind };
  }
}

interface Shown {
  readonly sight?: Sight | undefined;
  /** Of the link, for pages with a button. */
  readonly token?: string;
}

function answer(asked: Asked, options: AppOptions, view: View, { sight, token }: Shown = {}): Answer {
  const { sights, metrics, keys, now } = options;
  const instance = sight?.instance ?? sights.instance();
  const language = languageOf(asked, sight?.seen.language ?? instance?.language ?? 'en');
  const page = view.kind === 'refused' ? view.refusal : view.kind;
  metrics.pages.inc({ method: asked.method, page });
  const form = token === undefined ? {} : { formToken: formToken(keys(), token, now()) };
  return {
    status: statusOf(view),
    type: 'text/html',
    body: pageHtml(view, { language, instance, dates: sight?.seen.dates ?? {}, ...form }),
    headers: { 'Content-Language': language, ...((page === 'too-many' || page === 'lost') && { 'Retry-After': '60' }) },
  };
}

function languageOf({ query, header }: Asked, fallback: Language): Language {
  return languageFor({ chosen: query.get('lang'), wished: header('accept-language'), fallback });
}
