/** The line of one ref, as `git push --porcelain` writes it. */
export const line = (flag: string, why: string): string =>
  `To https://git.example.com/platform.git\n${flag}\tabc:refs/heads/main\t${why}\nDone\n`;
const failedRefs = "error: failed to push some refs to 'https://git.example.com/platform.git'\n";

/** What git said on standard output and standard error, each seen in the wild. */
export const pushes: readonly {
  readonly name: string;
  readonly kind: string;
  readonly stdout?: string;
  readonly stderr: string;
}[] = [
  { name: 'fetch first', kind: 'raced', stdout: line('!', '[rejected] (fetch first)'), stderr: failedRefs },
  { name: 'non-fast-forward', kind: 'raced', stdout: line('!', '[rejected] (non-fast-forward)'), stderr: failedRefs },
  { name: 'stale info', kind: 'raced', stdout: line('!', '[rejected] (stale info)'), stderr: failedRefs },
  {
    name: 'two pushes at the same time',
    kind: 'raced',
    stdout: line('!', "[remote rejected] (cannot lock ref 'refs/heads/main': is at 98bf7e54 but expected 00da1b35)"),
    stderr: `remote: error: cannot lock ref 'refs/heads/main': is at 98bf7e54 but expected 00da1b35\n${failedRefs}`,
  },
  {
    name: 'incorrect old value',
    kind: 'raced',
    stdout: line('!', '[remote rejected] (incorrect old value provided)'),
    stderr: failedRefs,
  },
  {
    name: 'failed to update',
    kind: 'raced',
    stdout: line('!', '[remote rejected] (failed to update ref)'),
    stderr: failedRefs,
  },
  {
    name: 'created meanwhile',
    kind: 'raced',
    stdout: line('!', '[remote rejected] (reference already exists)'),
    stderr: failedRefs,
  },
  {
    name: 'a lock of another push',
    kind: 'raced',
    stdout: line('!', '[remote rejected] (failed to update ref)'),
    stderr: `remote: error: cannot lock ref 'refs/heads/main': Unable to create '/srv/x.git/refs/heads/main.lock': File exists.\n${failedRefs}`,
  },
  {
    name: 'a branch in the way',
    kind: 'name-taken',
    stdout: line('!', '[remote rejected] (failed to update ref)'),
    stderr: `remote: error: cannot lock ref 'refs/heads/a/b': 'refs/heads/a' exists; cannot create 'refs/heads/a/b'\n${failedRefs}`,
  },
  {
    name: 'pre-receive hook',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (pre-receive hook declined)'),
    stderr: `remote: no tickets, no push\n${failedRefs}`,
  },
  {
    name: 'GitHub, protected branch',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (protected branch hook declined)'),
    stderr: `remote: error: GH006: Protected branch update failed for refs/heads/main.\nremote: error: At least 1 approving review is required by reviewers with write access.\n${failedRefs}`,
  },
  {
    name: 'GitHub, rule set',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (push declined due to repository rule violations)'),
    stderr: `remote: error: GH013: Repository rule violations found for refs/heads/main.\n${failedRefs}`,
  },
  {
    name: 'GitLab, protected branch',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (pre-receive hook declined)'),
    stderr: `remote: GitLab: You are not allowed to push code to protected branches on this project.\n${failedRefs}`,
  },
  {
    name: 'Azure, policy',
    kind: 'refused',
    stdout: line(
      '!',
      '[remote rejected] (TF402455: Pushes to this branch are not permitted; you must use a pull request to update this branch.)',
    ),
    stderr: failedRefs,
  },
  {
    name: 'checked out there',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (branch is currently checked out)'),
    stderr: failedRefs,
  },
  {
    name: 'shallow',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (shallow update not allowed)'),
    stderr: failedRefs,
  },
  {
    name: 'disk full there',
    kind: 'refused',
    stdout: line('!', '[remote rejected] (unpacker error)'),
    stderr: `remote: fatal: write error: No space left on device\n${failedRefs}`,
  },
  {
    name: 'no status',
    kind: 'unclear',
    stdout: line('!', '[remote failure] (remote failed to report status)'),
    stderr: failedRefs,
  },
  { name: 'pre-push hook', kind: 'hook', stderr: `tests failed\n${failedRefs}` },
  { name: 'silent pre-push hook', kind: 'hook', stderr: failedRefs },
  {
    name: 'wrong password',
    kind: 'credentials',
    stderr:
      "remote: Invalid username or password.\nfatal: Authentication failed for 'https://git.example.com/platform.git/'\n",
  },
  {
    name: 'no password',
    kind: 'credentials',
    stderr: "fatal: could not read Username for 'https://git.example.com': terminal prompts disabled\n",
  },
  {
    name: 'forbidden',
    kind: 'credentials',
    stderr:
      "remote: Permission to acme/platform.git denied to bot.\nfatal: unable to access 'https://github.com/acme/platform.git/': The requested URL returned error: 403\n",
  },
  {
    name: 'GitLab token',
    kind: 'credentials',
    stderr: "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://gitlab.com/x.git/'\n",
  },
  {
    name: 'SSH key',
    kind: 'credentials',
    stderr: 'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n',
  },
  {
    name: 'GitHub, not found',
    kind: 'missing',
    stderr: "remote: Repository not found.\nfatal: repository 'https://github.com/acme/none.git/' not found\n",
  },
  {
    name: 'no repository at a path',
    kind: 'missing',
    stderr:
      "fatal: '/srv/none.git' does not appear to be a git repository\nfatal: Could not read from remote repository.\n",
  },
  {
    name: 'unknown host',
    kind: 'unreachable',
    stderr: "fatal: unable to access 'https://nowhere.example/': Could not resolve host: nowhere.example\n",
  },
  {
    name: 'refused connection',
    kind: 'unreachable',
    stderr:
      "fatal: unable to access 'http://127.0.0.1:1/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server\n",
  },
  {
    name: 'SSH refused',
    kind: 'unreachable',
    stderr:
      'ssh: connect to host git.example.com port 22: Connection refused\nfatal: Could not read from remote repository.\n',
  },
  {
    name: 'certificate',
    kind: 'unreachable',
    stderr: "fatal: unable to access 'https://git.example.com/': SSL certificate problem: self-signed certificate\n",
  },
  {
    name: 'bad gateway',
    kind: 'unclear',
    stderr:
      'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nsend-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly\n',
  },
  {
    name: 'unavailable',
    kind: 'unclear',
    stderr: "fatal: unable to access 'https://git.example.com/': The requested URL returned error: 503\n",
  },
  {
    name: 'too many requests',
    kind: 'unclear',
    stderr: "fatal: unable to access 'https://git.example.com/': The requested URL returned error: 429\n",
  },
  {
    name: 'cut line',
    kind: 'unclear',
    stderr:
      'error: RPC failed; curl 56 Recv failure: Connection reset by peer\nfatal: the remote end hung up unexpectedly\n',
  },
  {
    name: 'empty reply',
    kind: 'unclear',
    stderr: "fatal: unable to access 'http://127.0.0.1/': Empty reply from server\n",
  },
  {
    name: 'SSH closed',
    kind: 'unclear',
    stderr:
      'kex_exchange_identification: Connection closed by remote host\nfatal: Could not read from remote repository.\n',
  },
  { name: 'hanging', kind: 'unclear', stderr: 'no sign of life from git for 600 s' },
  {
    name: 'too large',
    kind: 'refused',
    stderr:
      'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the remote end hung up unexpectedly\n',
  },
  { name: 'disk full here', kind: 'no-space', stderr: 'fatal: write error: No space left on device\n' },
  { name: 'something new', kind: 'unknown', stderr: 'fatal: the moon is in the wrong quarter\n' },
];
