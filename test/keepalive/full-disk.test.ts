import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnSmallDisk, openSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Lab, openLab, press } from './lab.ts';

describeOnSmallDisk('a page whose disk is full', () => {
  let lab: Lab;
  let disk: SmallDisk;
  const kept = () => readdirSync(join(disk.path, 'requests')).filter((name) => name.endsWith('.json'));
  beforeAll(async () => {
    disk = openSmallDisk();
    const environment = { QUIESCE_REQUESTS: join(disk.path, 'requests') };
    lab = await openLab({ claims: ['through', 'refused', 'after'], environment });
    disk.fill(0);
  });
  afterAll(async () => {
    await lab?.close();
    disk?.close();
  });

  it('renews all the same while git can be reached', async () => {
    expect(await press(await lab.link('through'))).toMatchObject({ status: 200, title: 'through is kept' });
    expect((await lab.record('through')).renewals).toHaveLength(1);
  });

  it('accepts nothing that it can neither keep nor write, says so in its log, and goes on when there is room', async () => {
    await lab.cut();
    const address = await lab.link('refused');
    expect(await press(address)).toMatchObject({ status: 503, title: 'Your answer could not be kept' });
    expect(lab.lines.map((line) => JSON.stringify(line)).join('\n')).toMatch(
      /ENOSPC.*a renewal cannot be kept on disk/,
    );
    expect(kept()).toEqual([]);
    disk.clear();
    expect(await press(await lab.link('after'))).toMatchObject({ status: 202, title: 'Your answer for after is kept' });
    expect(kept()).toHaveLength(1);
    await lab.mend();
    await expect.poll(kept, { timeout: 30_000, interval: 200 }).toEqual([]);
    expect((await lab.record('after')).renewals).toHaveLength(1);
    expect(await lab.record('refused')).not.toHaveProperty('renewals');
  }, 60_000);
});
