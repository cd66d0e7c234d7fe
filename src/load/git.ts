import { execFile, spawn } from 'node:child_process';

/**
 * Git plumbing for reading. `commit/` uses simple-git; here output is bytes, input is a pipe and every millisecond
 * of start-up counts (a compile with nothing to do is one git call long).
 */
export async function gitOutput(root: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    execFile(
      'git',
      ['-C', root, ...args],
      { encoding: 'utf8', maxBuffer: 1 << 30, env: readOnlyEnv() },
      (error, stdout) => done(error === null ? stdout : undefined),
    );
  });
}

/** The same as bytes, for what is large and mostly not looked at. */
export async function gitBytes(root: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((done) => {
    execFile(
      'git',
      ['-C', root, ...args],
      { encoding: 'buffer', maxBuffer: 1 << 30, env: readOnlyEnv() },
      (error, stdout) => done(error === null ? stdout : undefined),
    );
  });
}

/** Blobs by id, in one `cat-file --batch`. Ids that git does not have are absent from the result. */
export async function gitBlobs(root: string, oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const chunks: Buffer[] = [];
  await new Promise<void>((done, fail) => {
    const child = spawn('git', ['-C', root, 'cat-file', '--batch'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: readOnlyEnv(),
    });
    child.on('error', fail);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdout.on('end', done);
    child.stdin.on('error', fail);
    child.stdin.end(oids.map((oid) => `${oid}\n`).join(''));
  });
  return parseBatch(Buffer.concat(chunks));
}

function parseBatch(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  let offset = 0;
  while (offset < output.length) {
    const lineEnd = output.indexOf(10, offset);
    const [oid = '', , size] = output.toString('utf8', offset, lineEnd).split(' ');
    offset = lineEnd + 1;
    if (size === undefined) continue; // `<oid> missing`
    const length = Number(size);
    blobs.set(oid, output.subarray(offset, offset + length));
    offset += length + 1;
  }
  return blobs;
}

/** No lock is taken for reading, and a hook's GIT_DIR or GIT_INDEX_FILE does not lead to another repository. */
function readOnlyEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']) delete env[name];
  return env;
}
