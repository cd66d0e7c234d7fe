// A real SMTP server that does what the address of the recipient asks for. Plain JavaScript, so that Node runs it as it
// is, in a process of its own.
//
// usage: node smtp-server.mjs '{"security":"STARTTLS|TLS|None","certificate":FILE,"key":FILE,"username":…,"password":…}'
//
//   accept…@     taken            grey-N-…@   450 at RCPT the first N times
//   reject…@     550 at RCPT      full-N-…@   452 after DATA the first N times
//   spam…@       554 after DATA   drop-N-…@   takes the letter, then drops the line before it says so, N times
//   slow-MS-…@   answers late     closing…@   421 and the end of the session
//
// Standard output: one JSON line for each thing that happens, {"event":"listening","port":…} first.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const { security, certificate, key, username, password, port = 0 } = JSON.parse(process.argv[2] ?? '{}');
const seen = new Map();
let open = 0;

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

function refusal(code, text) {
  return Object.assign(new Error(text), { responseCode: code });
}

/** The number behind a word at the beginning of an address. */
function numberOf(address, word) {
  const found = new RegExp(`^${word}-(\\d+)`).exec(address);
  return found === null ? 0 : Number(found[1]);
}

/** How often this has happened to an address before. */
function countOf(what, address) {
  const times = seen.get(`${what} ${address}`) ?? 0;
  seen.set(`${what} ${address}`, times + 1);
  return times;
}

function onRcptTo({ address }, session, done) {
  tell({ event: 'recipient', address, secure: session.secure, user: session.user });
  if (address.startsWith('reject')) return done(refusal(550, '5.1.1 No such person here'));
  if (address.startsWith('closing')) return done(refusal(421, '4.3.2 Going down'));
  if (countOf('recipient', address) < numberOf(address, 'grey'))
    return done(refusal(450, '4.7.1 Greylisted, come back'));
  return done();
}

async function onData(stream, session, done) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const [{ address = '' } = {}] = session.envelope.rcptTo;
  const from = session.envelope.mailFrom.address;
  const times = countOf('data', address);
  if (address.startsWith('spam')) return done(refusal(554, '5.7.1 Looks like spam'));
  if (times < numberOf(address, 'full')) return done(refusal(452, '4.2.2 Mailbox full'));
  await sleep(numberOf(address, 'slow'));
  tell({
    event: 'mail',
    from,
    to: address,
    secure: session.secure,
    user: session.user,
    raw: Buffer.concat(chunks).toString(),
  });
  if (times < numberOf(address, 'drop')) return dropLine(session);
  return done(null, 'taken');
}

function dropLine(session) {
  for (const connection of server.connections) if (connection.id === session.id) connection._socket.destroy();
}

const server = new SMTPServer({
  secure: security === 'TLS',
  ...(certificate === undefined ? {} : { cert: readFileSync(certificate), key: readFileSync(key) }),
  disabledCommands: [...(security === 'STARTTLS' ? [] : ['STARTTLS']), ...(username === undefined ? ['AUTH'] : [])],
  authOptional: username === undefined,
  allowInsecureAuth: security === 'None',
  logger: false,
  closeTimeout: 200,
  onConnect: (_session, done) => {
    open += 1;
    tell({ event: 'connection', open });
    done();
  },
  onClose: () => {
    open -= 1;
  },
  onAuth: (auth, _session, done) => {
    const isKnown = auth.username === username && auth.password === password;
    // As talkative servers do: what they were sent stands in what they answer.
    if (!isKnown) return done(refusal(535, `5.7.8 Not accepted: ${auth.username}/${auth.password}`));
    return done(null, { user: auth.username });
  },
  onRcptTo,
  onData: (stream, session, done) => void onData(stream, session, done).catch(done),
});
server.on('error', () => {});
server.listen(port, '127.0.0.1', () => tell({ event: 'listening', port: server.server.address().port }));
// Whoever started this is gone.
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
