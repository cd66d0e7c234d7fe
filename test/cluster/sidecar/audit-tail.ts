import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditLine, auditLines, logFile } from './audit.ts';

/** The audit log of a control plane that lives for long: what was written since the last time. */
export interface AuditTail {
  next(): readonly AuditLine[];
}

export function tailAudit(folder: string): AuditTail {
  const file = join(folder, logFile);
  let offset = 0;
  return {
    next: () => {
      const text = readFrom(file, offset);
      const whole = text.subarray(0, text.lastIndexOf('\n') + 1);
      offset += whole.length;
      return auditLines(whole.toString());
    },
  };
}

/** All of it so far. Tests look many times a second, so each line is read once. */
export function wholeAudit(folder: string): () => AuditLine[] {
  const tail = tailAudit(folder);
  const seen: AuditLine[] = [];
  return () => {
    for (const line of tail.next()) seen.push(line);
    return [...seen];
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
