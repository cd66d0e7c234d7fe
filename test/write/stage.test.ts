import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage } from '../../src/write/stage.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quiesce-stage-'));
  mkdirSync(join(root, 'out', 'a'), { recursive: true });
  writeFileSync(join(root, 'out', 'a', 'old.yaml'), 'old');
  writeFileSync(join(root, 'out', 'README'), 'theirs');
});
afterEach(() => {
  chmodSync(join(root, 'out'), 0o755);
  rmSync(root, { recursive: true, force: true });
});

const open = () => openStage(join(root, 'out'), join(root, '.quiesce'), `${process.pid}`);
const read = (path: string) => readFileSync(join(root, 'out', path), 'utf8');

describe('stage', () => {
  it('shows nothing of a compile before it is committed, and leaves no trace when it is discarded', () => {
    const stage = open();
    stage.add('a/old.yaml', 'new');
    stage.add('b/c/new.yaml', 'new');
    stage.remove('a/old.yaml');
    expect(read('a/old.yaml')).toBe('old');
    stage.discard();
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['README', 'a']);
    expect(readdirSync(join(root, '.quiesce'))).toEqual(['.gitignore']);
  });

  it('moves everything into place, removes folders that became empty, and touches nothing else', () => {
    const stage = open();
    stage.add('b/c/new.yaml', 'new');
    stage.remove('a/old.yaml');
    expect(stage.commit()).toBeUndefined();
    stage.discard();
    expect(read('b/c/new.yaml')).toBe('new');
    expect(existsSync(join(root, 'out', 'a'))).toBe(false);
    expect(read('README')).toBe('theirs');
  });

  it('undoes the moves that were made when a later one is refused, and says so', () => {
    writeFileSync(join(root, 'out', 'blocked'), 'a file where a folder is needed');
    const stage = open();
    stage.add('a/old.yaml', 'new');
    stage.remove('README');
    stage.add('blocked/x.yaml', 'new');
    const refused = stage.commit();
    stage.discard();
    expect(refused?.code).toBe('write-failed');
    expect(refused?.message).toContain('blocked');
    expect(read('a/old.yaml')).toBe('old');
    expect(read('README')).toBe('theirs');
  });

  it('never replaces a folder that stands where a file should go', () => {
    mkdirSync(join(root, 'out', 'a', 'x.yaml'), { recursive: true });
    writeFileSync(join(root, 'out', 'a', 'x.yaml', 'theirs'), 'theirs');
    const stage = open();
    stage.add('a/x.yaml', 'new');
    expect(stage.commit()?.message).toContain('x.yaml is a folder');
    stage.discard();
    expect(read('a/x.yaml/theirs')).toBe('theirs');
  });

  it('clears stages of processes that no longer live and keeps those of others', () => {
    const scratch = join(root, '.quiesce');
    mkdirSync(join(scratch, 'stage-999999999'), { recursive: true });
    mkdirSync(join(scratch, `stage-${process.ppid}`), { recursive: true });
    open().discard();
    expect(readdirSync(scratch).sort()).toEqual(['.gitignore', `stage-${process.ppid}`]);
  });
});
