import { App, Chart } from 'cdk8s';
import { overlayChart } from '../../constructs/chart-claim.ts';
import { ClaimObjects } from '../../constructs/claim.ts';
import { type ClaimProps, claimProps } from '../../constructs/claim-props.ts';
import { contentObjects } from '../../constructs/objects.ts';
import { sha256 } from '../load/blob.ts';
import type { Content, RenderContext } from '../plan/unit.ts';
import type { Claim } from '../resolve/state.ts';
import type { LoadedObject, Material } from './material.ts';
import { type KubeObject, objectId, sortObjects } from './objects.ts';
import {
  type Filled,
  fillTemplate,
  makeTemplate,
  mentionsPlaceholders,
  placeholders,
  type Template,
} from './template.ts';
import { type Json, toYaml } from './yaml.ts';

/** Turns the content of units into text. Keeps one template for each shape of claim, so one renderer serves a compile. */
export interface Renderer {
  render(content: Content, material: Material): Filled;
}

export function createRenderer(context: RenderContext): Renderer {
  const templates = new Map<string, Template>();
  return {
    render: (content, material) => {
      const template =
        content.kind === 'claim' && content.claim.chart === undefined
          ? claimTemplate(content.claim, context, templates)
          : undefined;
      if (template !== undefined) return template;
      const objects = sortObjects(renderObjects(content, context, material));
      return { text: objects.map((object) => toYaml(object)).join('---\n'), objects: objects.map(objectId) };
    },
  };
}

/** Undefined when the claim's own strings hold the characters that templates use as marks. */
function claimTemplate(claim: Claim, context: RenderContext, templates: Map<string, Template>): Filled | undefined {
  const { shape, text } = claimProps(claim, context.settings, sha256);
  const key = JSON.stringify(shape);
  if (mentionsPlaceholders(key) || Object.values(text).some(mentionsPlaceholders)) return undefined;
  let template = templates.get(key);
  if (template === undefined) {
    template = templateOf({ shape, text });
    templates.set(key, template);
  }
  return fillTemplate(template, text);
}

/** The text of every claim of this shape, with places for their strings. */
export function templateOf({ shape, text }: ClaimProps): Template {
  const objects = sortObjects(
    synthesize((chart) => new ClaimObjects(chart, 'claim', { shape, text: placeholders(text) })),
  );
  return makeTemplate(objects, objects.map(objectId));
}

/** Objects of any unit, without a template. */
export function renderObjects(content: Content, context: RenderContext, material: Material): KubeObject[] {
  const loaded = valuesOf(material.objects);
  if (content.kind !== 'claim') {
    const components = new Map([...material.components].map(([name, objects]) => [name, valuesOf(objects)]));
    return synthesize((chart) => contentObjects(chart, content, context, loaded, components));
  }
  const props = claimProps(content.claim, context.settings, sha256);
  const own = synthesize((chart) => new ClaimObjects(chart, 'claim', props));
  return content.claim.chart === undefined ? own : overlayChart(loaded, props);
}

/** Checked to be objects when they were loaded. */
function valuesOf(objects: readonly LoadedObject[]): KubeObject[] {
  return objects.map(({ value }) => value as KubeObject);
}

/**
 * One small App for each unit: `chart.toJson()` resolves its whole App, so one App for all would be quadratic.
 * Nothing is written by cdk8s: its own file names would let objects overwrite each other.
 */
function synthesize(build: (chart: Chart) => unknown): KubeObject[] {
  const chart = new Chart(new App(), 'unit', { disableResourceNameHashes: true });
  build(chart);
  return chart.toJson() as (KubeObject & Json)[];
}
