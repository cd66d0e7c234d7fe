import { at, type Finding, type Origin } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { imageFindings } from './image-rules.ts';
import type { ShutdownDocument } from './shutdown.ts';

export const shutdownRules: readonly Rule<ShutdownDocument>[] = [backupIsAcknowledged, hookImageIsPinned];

function backupIsAcknowledged({ spec }: ShutdownDocument, origin: Origin): Finding[] {
  if (spec.action !== 'Shutdown' || spec.backupAcknowledged === true) return [];
  return [
    {
      code: 'shutdown-backup-open',
      at: at(origin, ['spec', 'action']),
      message: 'The shutdown will wait: nobody has acknowledged that there is a backup.',
      remedy: 'Write "backupAcknowledged: true" once there is one.',
    },
  ];
}

function hookImageIsPinned({ spec }: ShutdownDocument, origin: Origin): Finding[] {
  return spec.powerHook === undefined
    ? []
    : imageFindings(spec.powerHook.image, origin, ['spec', 'powerHook', 'image']);
}
