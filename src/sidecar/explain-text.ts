import type { Explanation, Wait } from './explain.ts';
import { whoText } from './remedies.ts';
import { ago, type TextOptions } from './status-lines.ts';

export function explanationText(explanation: Explanation, options: TextOptions): string {
  const { style, now } = options;
  const { kind, name, state, phase, reason, since, why, doing, waitingFor, hasToAct, lastError } = explanation;
  const head = `${style.bold(`${kind === 'claim' ? 'Claim' : 'Installation'} ${name}`)} is ${style.bold(phase)}`;
  const because = reason === undefined ? '' : ` (${reason})`;
  const lines = [
    `${head}${because}${since === undefined ? '' : `, for ${ago(since, now)}`}. Git asks for ${state}.`,
    ...why.map((line) => `  ${line}`),
    ...(doing === undefined ? [] : [`  Now: ${doing}.`]),
    ...waitLines(waitingFor, options),
    ...(lastError === undefined ? [] : [`  Last error: ${style.red(lastError.code)}: ${lastError.message}`]),
    ...objectLines('Left and listed, for somebody to decide:', explanation.leftovers),
    ...objectLines('Let go of without waiting:', explanation.orphaned),
    ...(hasToAct.length === 0 ? [] : [`  To act: ${hasToAct.join('; ')}.`]),
  ];
  return `${lines.join('\n')}\n`;
}

function waitLines(waits: readonly Wait[], { style, now }: TextOptions): string[] {
  if (waits.length === 0) return [];
  return [
    '  It waits for:',
    ...waits.flatMap(({ code, message, who, since, permanent, component, remedy }) => [
      `    ${(permanent === true ? style.red : style.yellow)(code)}${component === undefined ? '' : ` in ${component}`}: ${message}`,
      ...(since === undefined ? [] : [`      for ${ago(since, now)}; to act: ${whoText(who)}`]),
      ...(remedy === undefined ? [] : [`      → ${remedy}`]),
    ]),
  ];
}

function objectLines(title: string, objects: Explanation['leftovers']): string[] {
  if (objects.length === 0) return [];
  const lines = objects.map(
    ({ kind, namespace, name }) => `    ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  );
  return [`  ${title}`, ...lines];
}
