import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface MailServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Takes every mail and keeps none: who sends it tells of it. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 200,
    onData: (stream, _session, done) => stream.resume().once('end', () => done()),
  });
  // A sender that goes away in the middle of a mail is no reason to end.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    close: () => new Promise((closed) => server.close(closed)),
  };
}
