import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inventoryName, parseInventory } from './load/inventory.ts';
import { synth } from './pipeline.ts';
import { problemText } from './report/problems.ts';
import { plainStyle } from './report/style.ts';

/**
 * The door for `cdk8s synth`: the program that `cdk8s.yaml` names. It compiles like `quiesce synth`, then copies the
 * same files to the folder that cdk8s emptied for them. That folder is a scratch one by default, because cdk8s empties
 * it *before* it runs us: `out/` itself is only touched by our own writer, and only when the state has no Problem.
 */
const root = process.cwd();
const result = await synth({ root });
if (result.kind === 'problems') {
  process.stderr.write(problemText(result.problems, plainStyle));
  process.exitCode = 1;
} else {
  const target = resolve(process.env.CDK8S_OUTDIR ?? 'out');
  if (target !== join(root, 'out')) copyOutput(join(root, 'out'), target);
}

function copyOutput(from: string, to: string): void {
  const { lines } = parseInventory(readFileSync(join(from, inventoryName)), inventoryName);
  for (const path of [inventoryName, ...lines.flatMap((line) => line.path ?? [])]) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(join(from, path), join(to, path));
  }
}
