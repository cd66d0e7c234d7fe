import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteClaims } from '../../src/commands/delete.ts';
import { openTerminal, type Streams } from '../../src/commands/terminal.ts';
import { plainStyle } from '../../src/report/style.ts';
import { claimFile, type Instance, openInstance } from './instance.ts';

/** Streams that say they are a terminal, and what was written to them. */
function streams(options: { readonly isTTY: boolean; readonly environment?: NodeJS.ProcessEnv }) {
  const stdin = Object.assign(new PassThrough(), { isTTY: options.isTTY });
  const written = { stdout: '', stderr: '' };
  const out = (name: 'stdout' | 'stderr') => {
    const stream = Object.assign(new PassThrough(), { isTTY: options.isTTY, columns: 90 });
    stream.on('data', (chunk: Buffer) => {
      written[name] += chunk.toString();
    });
    return stream;
  };
  const given = { stdin, stdout: out('stdout'), stderr: out('stderr') };
  return { terminal: openTerminal(given as unknown as Streams, options.environment ?? {}), written, stdin };
}

describe('colour', () => {
  it('only on a terminal, and never with NO_COLOR', () => {
    const onTerminal = streams({ isTTY: true }).terminal;
    expect(onTerminal.style.red('x')).toBe('\u001b[31mx\u001b[39m');
    expect(onTerminal.noteStyle.bold('x')).toBe('\u001b[1mx\u001b[22m');
    expect(streams({ isTTY: false }).terminal.style).toBe(plainStyle);
    expect(streams({ isTTY: true, environment: { NO_COLOR: '1' } }).terminal.style).toBe(plainStyle);
    expect(streams({ isTTY: true, environment: { NO_COLOR: '' } }).terminal.style).not.toBe(plainStyle);
    expect(streams({ isTTY: true, environment: { TERM: 'dumb' } }).terminal.noteStyle).toBe(plainStyle);
  });
});

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is drawn in one line after a while, not too often, and goes before the next output', () => {
    const { terminal, written } = streams({ isTTY: true });
    terminal.progress('load 1/10');
    expect(written.stderr).toBe('');
    vi.advanceTimersByTime(500);
    terminal.progress('load 2/10');
    terminal.progress('load 3/10');
    vi.advanceTimersByTime(150);
    terminal.progress('load 4/10');
    terminal.answer('done\n');
    expect(written).toEqual({ stdout: 'done\n', stderr: '\r\u001b[Kload 2/10\r\u001b[Kload 4/10\r\u001b[K' });
  });

  it('is not drawn without a terminal', () => {
    const { terminal, written } = streams({ isTTY: false });
    vi.advanceTimersByTime(5000);
    terminal.progress('load 1/10');
    expect(written.stderr).toBe('');
  });
});

describe('asking', () => {
  let instance: Instance;
  beforeEach(async () => {
    instance = await openInstance({
      'state/claims/ada.yaml': claimFile('ada'),
      'state/claims/bob.yaml': claimFile('bob'),
    });
  });
  afterEach(() => instance.workshop.close());

  async function deleting(names: readonly string[], answers: readonly string[]) {
    const { terminal, written, stdin } = streams({ isTTY: true, environment: { NO_COLOR: '1' } });
    const asked = vi.fn(terminal.ask);
    const context = {
      directory: instance.dir,
      environment: {},
      terminal: { ...terminal, interactive: true, ask: asked },
    };
    const done = deleteClaims(names, {}, context);
    for (const [index, answer] of answers.entries()) {
      await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(index + 1));
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (answer === '') stdin.end();
      else stdin.write(`${answer}\n`);
    }
    return { status: await done, ...written };
  }

  it('delete wants every name back', async () => {
    const { status, stdout, stderr } = await deleting(['ada', 'bob'], ['ada', ' bob ']);
    expect(status).toBe(0);
    expect(stderr).toContain(
      'ada (state/claims/ada.yaml): everything in it will be uninstalled and its data is lost.\n',
    );
    expect(stderr).toContain('Type its name to order the deletion: ');
    expect(stdout).toMatch(/^ada is to be deleted: .*\nbob is to be deleted: /);
    expect(instance.read('state/claims/bob.yaml')).toBe(claimFile('bob', '  state: Deleted\n'));
  });

  it.each([[['ada', 'bop']], [['ada', '']], [['no']]])('answers %j change nothing', async (answers) => {
    const { status, stdout, stderr } = await deleting(['ada', 'bob'], answers);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/Not confirmed: nothing was changed.\n$/);
    expect(instance.read('state/claims/ada.yaml')).toBe(claimFile('ada'));
  });
});
