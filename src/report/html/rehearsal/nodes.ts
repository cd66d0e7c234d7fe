import type { NodeRehearsal, RemovedPod } from '../../../rehearsal/rehearsal.ts';
import type { Stage } from '../../../sidecar/maintenance/status.ts';
import {
  type Crew,
  courseText,
  crewsOf,
  lengthText,
  nodeTitle,
  nowhereText,
  podsText,
  podText,
  stages,
  stageWords,
  whenText,
  wholeSpan,
} from '../../rehearsal/words.ts';
import { fittedItems, html, type Markup } from '../markup.ts';

/** Every node with its pods by stage, folded; the ones with something in the way for ever first. */
export function nodeList(nodes: readonly NodeRehearsal[], room: number): Markup {
  const rest = (left: number): Markup => html`<p>… and ${left} more nodes, which <code>--json</code> lists</p>\n`;
  const gravest = [...nodes].sort((a, b) => gravity(b) - gravity(a));
  return html`<h5>Nodes and their pods <span class="count">${nodes.length}</span></h5>
${fittedItems(gravest.map(nodeHtml), room, rest)}`;
}

function gravity({ blockers, stuck }: NodeRehearsal): number {
  if (blockers.some(({ forEver }) => forEver)) return 2;
  return stuck.length > 0 ? 1 : 0;
}

function nodeHtml(node: NodeRehearsal): Markup {
  const { blockers, stuck, moves, removed, waits } = node;
  const lasting = blockers.filter(({ forEver }) => forEver).length;
  const badges = [
    ...(lasting > 0 ? [html` <span class="badge bad">${lasting} in the way for ever</span>`] : []),
    ...(blockers.length > lasting
      ? [html` <span class="badge wait">${blockers.length - lasting} for a while</span>`]
      : []),
    ...(stuck.length > 0 ? [html` <span class="badge bad">${stuck.length} stuck</span>`] : []),
  ];
  const head = html`${nodeTitle(node)} <span class="course">${courseText(node)}</span>${badges}${stageBar(node)}`;
  const isEmpty = moves.length + removed.length + waits.length + stuck.length === 0;
  if (isEmpty) return html`<p class="node">${head}</p>\n`;
  return html`<details class="node"><summary>${head}</summary>
<p>${podsText(node)}</p>
${stages.map((stage) => stageHtml(stage, node))}${removedHtml(removed)}${stuckHtml(node)}</details>
`;
}

/** How many pods go in each stage. */
function stageBar({ moves, removed }: NodeRehearsal): Markup | undefined {
  const counts = stages
    .map((stage) => ({
      kind: `stage-${stage}`,
      said: `stage ${stage}`,
      count: moves.filter((move) => move.stage === stage).length,
    }))
    .concat({ kind: 'Deleted', said: 'removed by taint', count: removed.length })
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return undefined;
  const said = counts.map(({ count, said: what }) => `${count} in ${what}`.replace('in removed', 'removed')).join(', ');
  return html`<span class="bar" role="img" aria-label="Pods: ${said}">${counts.map(
    ({ kind, count }) => html`<span class="part ${kind}" style="flex-grow:${count}">${count}</span>`,
  )}</span>`;
}

function stageHtml(stage: Stage, { moves, waits }: NodeRehearsal): Markup | undefined {
  if (stage === 4) {
    if (waits.length === 0) return undefined;
    const items = waits.map(({ name, lasts }) => html`<li>${name}: ${lengthText(lasts)}</li>`);
    return html`${stageTitle(stage, waits.length, '')}<ul class="pods">${items}</ul>\n`;
  }
  const of = moves.filter((move) => move.stage === stage);
  if (of.length === 0) return undefined;
  const when = `gone ${whenText(wholeSpan(of.map(({ gone }) => gone)))}`;
  return html`${stageTitle(stage, of.length, when)}<ul class="pods">${crewsOf(of).map(crewItem)}</ul>\n`;
}

function stageTitle(stage: Stage, count: number, when: string): Markup {
  return html`<p class="stage"><span class="key stage-${stage}" aria-hidden="true"></span>Stage ${stage}, ${stageWords[stage]} <span class="count">${count}</span> <span class="course">${when}</span></p>\n`;
}

const mostPods = 25;

function crewItem({ title, pods }: Crew): Markup {
  const named = pods.length === 1 && title.startsWith('Pod ') ? '' : pods.slice(0, mostPods).map(podName).join(', ');
  const more = pods.length > mostPods ? ` … and ${pods.length - mostPods} more` : '';
  const nowhere = pods.find((pod) => pod.nowhere !== undefined)?.nowhere;
  const priority = pods[0]?.priority === undefined ? '' : `, priority ${pods[0].priority}`;
  const times = whenText(wholeSpan(pods.map(({ evicted }) => evicted)));
  const badge =
    nowhere === undefined
      ? undefined
      : html` <span class="badge ${nowhere.certain ? 'bad' : 'wait'}">${nowhere.certain ? 'nowhere to go' : 'perhaps nowhere to go'}</span> ${nowhereText(nowhere)}`;
  return html`<li>${title}${priority}: <span class="count">${named}${more}</span> evicted ${times}${badge}</li>\n`;
}

function podName({ name, isNew }: Crew['pods'][number]): string {
  return isNew === true ? `${name} (its successor)` : name;
}

const removedWords = { deadline: 'Removed at the deadline', taint: 'Removed by taint' } as const;

function removedHtml(removed: readonly RemovedPod[]): Markup {
  return html`${(['deadline', 'taint'] as const).map((why) => {
    const of = removed.filter((pod) => pod.why === why);
    if (of.length === 0) return undefined;
    const when = whenText(wholeSpan(of.map(({ at }) => at)));
    return html`<p class="stage"><span class="key Deleted" aria-hidden="true"></span>${removedWords[why]} <span class="count">${of.length}</span> <span class="course">${when}</span></p>
<ul class="pods">${of.slice(0, 100).map(removedItem)}${of.length > 100 ? html`<li>… and ${of.length - 100} more</li>` : undefined}</ul>
`;
  })}`;
}

function removedItem(pod: RemovedPod): Markup {
  const { certain, pastBudget, nowhere } = pod;
  const budget = pastBudget === undefined ? '' : `, past the budget ${pastBudget}`;
  const where = nowhere === undefined ? '' : `; nowhere to go: ${nowhereText(nowhere)}`;
  return html`<li>${podText(pod)}${certain ? '' : ', if it comes to that'}${budget}${where}</li>\n`;
}

function stuckHtml({ stuck }: NodeRehearsal): Markup | undefined {
  if (stuck.length === 0) return undefined;
  const shown = stuck.slice(0, 100);
  return html`<p class="stage"><span class="badge bad">stuck</span> Still there at the end <span class="count">${stuck.length}</span></p>
<ul class="pods">${shown.map((pod) => html`<li>${podText(pod)}</li>`)}${stuck.length > shown.length ? html`<li>… and ${stuck.length - shown.length} more</li>` : undefined}</ul>
`;
}
