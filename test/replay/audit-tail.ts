import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditLine, readAudit } from '../cluster/sidecar/audit.ts';

/** The audit log of a control plane that lives for long: what was written since the last time. */
export interface AuditTail {
  next(): readonly AuditLine[];
}

export function tailAudit(folder: string): AuditTail {
  const scratch = mkdtempSync(join(tmpdir(), 'quiesce-replay-audit-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  let offset = 0;
  return {
    next: () => {
      const text = readFrom(join(folder, 'audit.log'), offset);
      const whole = text.subarray(0, text.lastIndexOf('\n') + 1);
      offset += whole.length;
      writeFileSync(join(scratch, 'audit.log'), whole);
      return readAudit(scratch);
    },
  };
}

function readFrom(file: string, offset: number): Buffer {
  const opened = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(fstatSync(opened).size - offset);
    const length = readSync(opened, buffer, 0, buffer.length, offset);
    return buffer.subarray(0, length);
  } finally {
    closeSync(opened);
  }
}
