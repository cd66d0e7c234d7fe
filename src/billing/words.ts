import type { BillingReason, ClusterBill } from './bill.ts';

const reasons: Readonly<Record<BillingReason, string>> = {
  'runs-work': 'can run work',
  'control-plane': 'is kept free of work by the taint of the control plane',
  'maintenance-without-cordon': 'is in maintenance, which alone does not stop billing: a cordon as well would',
  'cordon-without-maintenance': 'is cordoned, which alone does not stop billing: maintenance as well would',
  'maintenance-and-cordon': 'is in maintenance and cordoned',
  'capacity-unreadable': 'does not say how many vCPU it has',
};

/** Why a node counts or does not, to follow its name. */
export function reasonText(why: BillingReason): string {
  return reasons[why];
}

/** `12 vCPU`, `3.92 vCPU` */
export function cpuText(milliCpu: number): string {
  return `${milliCpu / 1000} vCPU`;
}

/** One sentence for a cluster, and one more for what its maintenance still costs. */
export function billText({
  cluster,
  allMilliCpu,
  countedMilliCpu,
  inMaintenanceMilliCpu,
  unreadable,
}: ClusterBill): string {
  const sentences = [`${cluster}: ${cpuText(countedMilliCpu)} of ${cpuText(allMilliCpu)} count.`];
  if (inMaintenanceMilliCpu > 0) {
    sentences.push(
      `${cpuText(inMaintenanceMilliCpu)} of them are in maintenance and would not, were they cordoned as well.`,
    );
  }
  if (unreadable > 0) sentences.push(`Of ${unreadable} more it is not known how many vCPU they have.`);
  return sentences.join(' ');
}
