import type { Style } from '../report/style.ts';
import { table } from '../sidecar/table.ts';
import type { ClusterBill, NodeBill } from './bill.ts';
import { billText, cpuText, reasonText } from './words.ts';

/** Each cluster with its nodes, and a sum where there are several. */
export function billingText(bills: readonly ClusterBill[], style: Style): string {
  const sections = bills.map((bill) => [style.bold(billText(bill)), ...nodeLines(bill, style)].join('\n'));
  return `${[...sections, ...total(bills)].join('\n\n')}\n`;
}

function nodeLines({ nodes }: ClusterBill, { dim, yellow }: Style): string[] {
  if (nodes.length === 0) return [];
  const [header = '', ...body] = table(['NODE', 'VCPU', 'COUNTS', 'WHY'], nodes.map(row), '  ');
  return [
    dim(header),
    ...body.map((line, index) => (nodes[index]?.why === 'maintenance-without-cordon' ? yellow(line) : line)),
  ];
}

function row({ name, milliCpu, counts, why }: NodeBill): readonly string[] {
  const isKnown = milliCpu !== undefined;
  return [name, isKnown ? String(milliCpu / 1000) : '?', isKnown ? (counts ? 'yes' : 'no') : '?', reasonText(why)];
}

function total(bills: readonly ClusterBill[]): string[] {
  if (bills.length < 2) return [];
  const sum = (of: (bill: ClusterBill) => number) => cpuText(bills.reduce((all, each) => all + of(each), 0));
  const counted = sum(({ countedMilliCpu }) => countedMilliCpu);
  return [`In all: ${counted} of ${sum(({ allMilliCpu }) => allMilliCpu)} count.`];
}
