import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClaimProps, claimProps } from '../constructs/claim-props.ts';
import { compile } from '../src/compile.ts';
import { sha256 } from '../src/load/blob.ts';
import { openCheckout } from '../src/load/checkout.ts';
import { templateOf } from '../src/render/renderer.ts';
import type { Template } from '../src/render/template.ts';
import { toYaml } from '../src/render/yaml.ts';

/** The claims of a repository, split into shape and strings. */
export async function propsOf(root: string): Promise<ClaimProps[]> {
  const opened = await openCheckout({ root });
  if (opened.kind === 'problems') throw new Error(JSON.stringify(opened.problems));
  const { settings, units } = await compile({ tree: opened.checkout.tree, reusable: [], reference: [] });
  if (settings === undefined) throw new Error('the generated settings have problems');
  return units.flatMap(({ unit }) =>
    unit.content?.kind === 'claim' ? [claimProps(unit.content.claim, settings, sha256)] : [],
  );
}

/**
 * A Helm chart that gives the same objects for the same claims, as fast as Helm can: one named template for each shape,
 * so that nothing is left to decide, and values with nothing but strings to put in.
 */
export function writeChart(folder: string, claims: readonly ClaimProps[]): void {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: claims\nversion: 0.1.0\n');
  const shapes = new Map<string, number>();
  const defines: string[] = [];
  const values = claims.map((props) => {
    const key = JSON.stringify(props.shape);
    let shape = shapes.get(key);
    if (shape === undefined) {
      shape = shapes.size;
      shapes.set(key, shape);
      defines.push(`{{- define "shape${shape}" }}\n${helmText(templateOf(props))}{{- end }}\n`);
    }
    return { shape: `shape${shape}`, text: props.text };
  });
  writeFileSync(join(folder, 'templates', '_shapes.tpl'), defines.join(''));
  const loop = '{{- range .Values.claims }}\n---\n{{ include .shape .text }}\n{{- end }}\n';
  writeFileSync(join(folder, 'templates', 'claims.yaml'), loop);
  // Beside the chart: a file in it may have 5 MiB.
  writeFileSync(`${folder}-values.yaml`, toYaml({ claims: values }));
}

function helmText({ parts }: Template): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      return `"${part.text.map((piece, index) => (index % 2 === 0 ? piece : `{{ .${piece} }}`)).join('')}"`;
    })
    .join('');
}
