import type { EventNote } from '../maintenance/action.ts';
import type { ShutdownObservation } from './observation.ts';
import type { ShutdownPhase, ShutdownStatus } from './status.ts';

/** What people see in `kubectl describe clustershutdown`: one note for each phase that begins. */
export function phaseEvents(
  { name, uid, status: before }: ShutdownObservation['shutdown'],
  { phase, gates = [], blockers = [] }: ShutdownStatus,
): readonly EventNote[] {
  if (phase === undefined || phase === before?.phase || (phase === 'Idle' && before?.phase === undefined)) return [];
  const closed = gates.find(({ open }) => !open);
  const why = phase === 'Waiting' ? closed?.message : phase === 'Error' ? blockers[0]?.message : undefined;
  return [
    {
      type: phase === 'Error' || phase === 'Waiting' ? 'Warning' : 'Normal',
      reason: `Shutdown${phase}`,
      action: 'Shutdown',
      regarding: { apiVersion: 'quiesce.dev/v1alpha1', kind: 'ClusterShutdown', name, uid },
      note: why === undefined ? notes[phase] : `${notes[phase]} ${why}`,
    },
  ];
}

const notes: Readonly<Record<ShutdownPhase, string>> = {
  Idle: 'Nothing is asked for any more: what is in maintenance stays so.',
  Waiting: 'The shutdown waits for a gate.',
  Draining: 'Nodes go into maintenance, workers first.',
  PoweringOff: 'Every node is in maintenance: machines are turned off in order.',
  Off: 'Every machine is off.',
  PoweringOn: 'Machines are turned on, the control plane first.',
  Leaving: 'The control plane is back: nodes leave maintenance.',
  Done: 'Every node is ready and out of maintenance.',
  Error: 'A machine could not be turned over.',
};
