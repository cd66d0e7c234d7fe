import type { BlockRehearsal, NodeRehearsal, Span } from '../../../rehearsal/rehearsal.ts';
import type { Stage } from '../../../sidecar/maintenance/status.ts';
import { courseText, nodeTitle, roughly, shortSpan, stages, stageWords } from '../../rehearsal/words.ts';
import { html, type Markup } from '../markup.ts';

/** Pixels; across, everything is in percent of the width that there is, so that text keeps its size on a phone. */
const top = 26;
const row = 52;
const lane = 13;
const mostRows = 60;

/** A row for each node that moves, and in it two lanes: if things go as quickly as they can, and as slowly. */
export function timeline(block: BlockRehearsal, id: string): Markup | undefined {
  const moving = block.nodes.filter(({ reached }) => reached !== undefined);
  if (moving.length === 0) return undefined;
  const shown = lastOnes(moving);
  const until = horizon(shown);
  const height = top + shown.length * row;
  const left = moving.length - shown.length;
  return html`<figure class="drain">
<figcaption>Each node if all goes quickly (upper lane) and slowly (lower lane)</figcaption>
${legend()}<svg width="100%" height="${height}" role="img" aria-labelledby="${id}-title"><title id="${id}-title">Timeline of ${block.config}; the list of nodes below it says the same in words</title>
${ticks(until, height)}${shown.map((node, index) => nodeRow(node, { y: top + index * row, until, deadline: block.deadlineSeconds }))}</svg>
${left > 0 ? html`<p class="count">… and ${left} more nodes, which are done sooner</p>\n` : undefined}</figure>
`;
}

/** Where there are many, those that take longest; in the order of the block all the same. */
function lastOnes(nodes: readonly NodeRehearsal[]): readonly NodeRehearsal[] {
  if (nodes.length <= mostRows) return nodes;
  const end = ({ reached }: NodeRehearsal): number => reached?.to ?? Number.MAX_SAFE_INTEGER;
  const kept = new Set([...nodes].sort((a, b) => end(b) - end(a)).slice(0, mostRows));
  return nodes.filter((node) => kept.has(node));
}

/** The last thing that is known to happen. What may never end goes on to the edge. */
function horizon(nodes: readonly NodeRehearsal[]): number {
  const times = nodes.flatMap(({ begins, reached, moves }) => [
    ...[begins, reached].flatMap((span) => [span?.from ?? 0, span?.to ?? 0]),
    ...moves.map(({ gone }) => gone.to ?? gone.from ?? 0),
  ]);
  const isOpen = nodes.some(({ reached }) => reached?.to === null);
  return Math.max(1, times.reduce((most, time) => Math.max(most, time), 0) * (isOpen ? 1.15 : 1));
}

function legend(): Markup {
  const keys = stages.map(
    (stage) => html`<li><span class="key stage-${stage}" aria-hidden="true"></span>${stage}: ${stageWords[stage]}</li>`,
  );
  return html`<ul class="legend">${keys}<li><span class="key open" aria-hidden="true"></span>may never end</li><li><span class="key limit" aria-hidden="true"></span>deadline</li></ul>
`;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** As few that they do not touch on a phone. */
function ticks(until: number, height: number): Markup {
  const step = steps.find((each) => until / each <= 4) ?? Math.ceil(until / 4 / 86_400) * 86_400;
  const times = Array.from({ length: Math.floor(until / step) + 1 }, (_, index) => index * step);
  return html`${times.map((time) => {
    const x = percent(time, until);
    const anchor = time === 0 ? 'start' : time / until > 0.9 ? 'end' : 'middle';
    return html`<line class="grid" x1="${x}" x2="${x}" y1="18" y2="${height}"/><text class="soft" x="${x}" y="12" text-anchor="${anchor}">${roughly(time)}</text>`;
  })}`;
}

interface Place {
  readonly y: number;
  readonly until: number;
  readonly deadline: number;
}

function nodeRow(node: NodeRehearsal, { y, until, deadline }: Place): Markup {
  const { begins = atOnce, reached = atOnce, course } = node;
  const lanes = (['from', 'to'] as const).map((pace, index) => {
    const at = { y: y + 19 + index * (lane + 2), until };
    const due = course === 'leaves' || begins[pace] === null ? undefined : mark(begins[pace] + deadline, at);
    return html`${track(begins[pace] ?? 0, reached[pace], at)}${segments(node, pace).map((each) => segment(each, at))}${due}`;
  });
  return html`<g><title>${nodeTitle(node)}: ${courseText(node)}</title><text class="name" x="0" y="${y + 13}">${short(node.node ?? node.address)}</text><text class="soft" x="100%" y="${y + 13}" text-anchor="end">${shortSpan(reached)}</text>
${lanes}</g>
`;
}

const atOnce: Span = { from: 0, to: 0 };

/** Long names would run into what stands at the right; they are told in full below. */
function short(name: string): string {
  const signs = [...name];
  return signs.length <= 26 ? name : `${signs.slice(0, 25).join('')}…`;
}

type At = Pick<Place, 'y' | 'until'>;

/** From the beginning of the drain to its end. */
function track(from: number, to: number | null, { y, until }: At): Markup {
  const kind = to === null ? 'open' : 'track';
  return html`<rect class="${kind}" x="${percent(from, until)}" y="${y}" width="${percent((to ?? until) - from, until, 0.4)}" height="${lane}" rx="2"/>`;
}

interface Segment {
  readonly stage: Stage;
  readonly from: number;
  readonly to: number;
}

/** The stages come one after the other; the fourth is the time until volumes are unmounted. */
function segments({ moves, waits }: NodeRehearsal, pace: 'from' | 'to'): readonly Segment[] {
  const found: Segment[] = [];
  let end = 0;
  for (const stage of stages) {
    const of = moves.filter((move) => move.stage === stage);
    const times = of.flatMap(({ evicted, gone }) => [evicted[pace] ?? [], gone[pace] ?? []].flat());
    const wait = stage === 4 ? Math.max(0, ...waits.map(({ lasts }) => lasts[pace] ?? 0)) : 0;
    if (times.length === 0 && wait === 0) continue;
    const from = times.length === 0 ? end : Math.max(end, Math.min(...times));
    end = times.length === 0 ? end + wait : Math.max(from, ...times);
    found.push({ stage, from, to: end });
  }
  return found;
}

function segment({ stage, from, to }: Segment, { y, until }: At): Markup {
  const rect = html`<rect class="stage-${stage}" x="${percent(from, until)}" y="${y}" width="${percent(to - from, until, 0.5)}" height="${lane}"/>`;
  if ((to - from) / until < 0.04) return rect;
  return html`${rect}<text class="on-stage" x="${percent((from + to) / 2, until)}" y="${y + 10}" text-anchor="middle">${stage}</text>`;
}

function mark(time: number, { y, until }: At): Markup | undefined {
  if (time > until) return undefined;
  const x = percent(time, until);
  return html`<line class="limit" x1="${x}" x2="${x}" y1="${y - 1}" y2="${y + lane + 1}"/>`;
}

/** So much at least that it can be seen. */
function percent(time: number, until: number, least = 0): string {
  return `${Math.max(least, Math.round((time / until) * 10_000) / 100)}%`;
}
