import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { smallMemory } from '../constructs/keepalive.ts';
import { type Lab, openLab, post } from '../test/keepalive/lab.ts';
import { atLeast, atMost, type Figure, told } from './figures.ts';
import type { Bench } from './suites.ts';

const people = 200;
const pages = 10_000;
const connections = 32;

/** The page as the image has it, in front of a real git server. */
export async function* keepaliveFigures({ root }: Bench): AsyncGenerator<Figure> {
  const claims = Array.from({ length: people }, (_, index) => `claim-${index}`);
  const lab = await openLab({
    claims,
    program: [join(root, 'dist', 'keepalive', 'main.js')],
    // As the StatefulSet has it, besides limits that would stop a bench.
    environment: { ...smallMemory, QUIESCE_PER_MINUTE: '1000000', QUIESCE_ANSWER_SECONDS: '60' },
  });
  try {
    yield* starts(lab);
    const addresses = await Promise.all(claims.map(async (claim) => lab.link(claim)));
    yield* reading(lab, addresses);
    yield* burst(lab, addresses);
    yield atMost(`keepalive: its peak over ${pages} pages and the burst`, status(lab, 'VmHWM') / 1024, 'MB', 60);
    yield told('keepalive: memory of the process that works with git, while it runs', workerMegabytes(lab), 'MB');
  } finally {
    await lab.close();
  }
}

async function* starts(lab: Lab): AsyncGenerator<Figure> {
  const seconds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await lab.stop();
    const begin = performance.now();
    await lab.start();
    seconds.push((performance.now() - begin) / 1000);
  }
  yield atMost('keepalive: start until ready', Math.min(...seconds), 's', 1);
}

/** By the time that the page itself computes: the visitors of this bench need a core of their own. */
async function* reading(lab: Lab, addresses: readonly string[]): AsyncGenerator<Figure> {
  await read(addresses, addresses.length);
  yield atMost(`keepalive: memory of the page after ${people} visitors`, status(lab, 'VmRSS') / 1024, 'MB', 60);
  const [cpu, begin] = [cpuSeconds(lab), performance.now()];
  await read(addresses, pages);
  yield atLeast('keepalive: pages a second on one core', pages / (cpuSeconds(lab) - cpu), '/s', 500);
  yield told(
    'keepalive: pages a second, as visitors here saw them',
    pages / ((performance.now() - begin) / 1000),
    '/s',
  );
}

async function* burst(lab: Lab, addresses: readonly string[]): AsyncGenerator<Figure> {
  const forms = (await read(addresses, addresses.length)).map((html) => /name="form" value="([^"]+)"/.exec(html)?.[1]);
  const before = (await lab.log()).length;
  const begin = performance.now();
  const answers = await Promise.all(addresses.map(async (address, index) => post(address, forms[index] ?? '')));
  yield told(`keepalive: ${people} renewals at once`, (performance.now() - begin) / 1000, 's');
  const lost = answers.filter(({ title }) => !title.endsWith('is kept')).length;
  yield atMost('keepalive: of these, not carried out', lost, '', 0);
  yield atMost('keepalive: commits for all of them', (await lab.log()).length - before, '', 10);
}

/** Each address in turn, over a few connections. */
async function read(addresses: readonly string[], times: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const texts: string[] = [];
  let next = 0;
  const visitor = async (): Promise<void> => {
    for (let index = next++; index < times; index = next++) {
      texts[index] = await textOf(addresses[index % addresses.length] ?? '', agent);
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  agent.destroy();
  return texts;
}

async function textOf(address: string, agent: Agent): Promise<string> {
  return new Promise((done, fail) => {
    get(address, { agent, headers: { 'accept-language': 'en' } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        if (answer.statusCode === 200) done(Buffer.concat(chunks).toString());
        else fail(new Error(`the page answered ${answer.statusCode}`));
      });
    }).on('error', fail);
  });
}

/** In KiB. */
function status(lab: Lab, field: string, pid = lab.process().pid): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

function cpuSeconds(lab: Lab): number {
  const fields = readFileSync(`/proc/${lab.process().pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function workerMegabytes(lab: Lab): number {
  return Math.max(...lab.children().map((pid) => status(lab, 'VmRSS', pid) / 1024));
}
