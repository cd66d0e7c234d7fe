import type { Compiled } from './compile.ts';
import type { Checkout } from './load/checkout.ts';
import type { InventoryLine } from './plan/inventory.ts';
import { type RemovalLimits, removalFindings } from './plan/removal-guard.ts';
import type { Settings } from './resolve/state.ts';
import { isError } from './validate/codes.ts';
import type { Finding } from './validate/finding.ts';
import { version } from './version.ts';
import { type FileChange, foreignFiles, Output, type Sink, sharedObjects } from './write/output.ts';

export interface EmitInputs {
  readonly compiled: Compiled;
  readonly settings: Settings;
  readonly checkout: Checkout;
  readonly limits: RemovalLimits;
  readonly onProgress: (done: number, total: number) => void;
}

export interface Emitted {
  readonly lines: readonly InventoryLine[];
  readonly changes: readonly FileChange[];
  readonly foreign: readonly string[];
  readonly findings: readonly Finding[];
}

/** render → write into the sink → the checks that need to see what came out. */
export async function emit(inputs: EmitInputs, sink: Sink): Promise<Emitted> {
  const { compiled, checkout } = inputs;
  const { inventory, outFolder, files } = checkout;
  const there = files.paths();
  const output = new Output({ folder: outFolder, files, previous: inventory.lines, raw: inventory.raw }, sink);
  for (const line of compiled.reused) output.reuse(line);
  const findings = await renderInto(output, inputs);
  const lines = output.finish();
  return {
    lines,
    changes: output.changes,
    foreign: foreignFiles(await there, [...inventory.lines, ...lines]),
    findings: [
      ...findings,
      ...output.findings,
      ...sharedObjects(lines, inventory.lines),
      ...removalFindings(inventory.reference, lines, inputs.limits),
    ],
  };
}

/** The renderer, and with it cdk8s, is loaded only when there is something to render. */
async function renderInto(
  output: Output,
  { compiled, settings, checkout, onProgress }: EmitInputs,
): Promise<Finding[]> {
  if (compiled.units.length === 0) return [];
  const { createRenderer } = await import('./render/renderer.ts');
  const { materialFor } = await import('./render/material.ts');
  const renderer = createRenderer({ settings, version });
  const findings: Finding[] = [];
  let done = 0;
  for (const { unit, key, warnings } of compiled.units) {
    onProgress(done, compiled.units.length);
    done += 1;
    if (unit.content === undefined) {
      output.put(unit, key, undefined, warnings);
      continue;
    }
    const material = await materialFor(unit.content, checkout.tree, checkout.root);
    findings.push(...material.findings);
    if (material.findings.some(isError)) continue;
    output.put(unit, key, renderer.render(unit.content, material), [...warnings, ...material.findings]);
  }
  return findings;
}
