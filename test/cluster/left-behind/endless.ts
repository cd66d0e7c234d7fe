import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { openSandbox } from '../../support/sandbox.ts';

test('never ends', async () => {
  const sandbox = openSandbox('endless');
  sandbox.start('one', ['sleep', '1000']);
  writeFileSync(process.env.QUIESCE_TEST_REPORT ?? '', `${sandbox.folder}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1_000_000));
});
