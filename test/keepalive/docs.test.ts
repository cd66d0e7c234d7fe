import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openKeepaliveMetrics } from '../../src/keepalive/metrics.ts';
import { keepaliveOptions } from '../../src/keepalive/options.ts';
import { ownTemplatesFolder } from '../../src/mail/templates.ts';

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

it('every metric of the page is in docs/keepalive.md, with its type, and no other', () => {
  const text = openKeepaliveMetrics(() => ({ count: 0, seconds: 0 })).text();
  const shown = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const documented = [...page('keepalive.md').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  expect(documented.toSorted()).toEqual(shown.toSorted());
});

it('its text is what Prometheus reads', () => {
  const metrics = openKeepaliveMetrics(() => ({ count: 2, seconds: 30 }));
  metrics.pages.inc({ method: 'GET', page: 'a"b\\c\n' });
  metrics.pages.inc({ method: 'GET', page: 'a"b\\c\n' });
  for (const seconds of [0.005, 1, 60]) metrics.pageSeconds.observe({ method: 'GET' }, seconds);
  const lines = metrics.text().split('\n');
  expect(lines).toContain('quiesce_keepalive_pages_total{method="GET",page="a\\"b\\\\c\\n"} 2');
  expect(lines).toContain('quiesce_keepalive_waiting 2');
  expect(lines.filter((line) => line.startsWith('quiesce_keepalive_page_seconds'))).toEqual([
    'quiesce_keepalive_page_seconds_bucket{method="GET",le="0.005"} 1',
    'quiesce_keepalive_page_seconds_bucket{method="GET",le="0.05"} 1',
    'quiesce_keepalive_page_seconds_bucket{method="GET",le="0.5"} 1',
    'quiesce_keepalive_page_seconds_bucket{method="GET",le="2"} 2',
    'quiesce_keepalive_page_seconds_bucket{method="GET",le="10"} 2',
    'quiesce_keepalive_page_seconds_bucket{method="GET",le="+Inf"} 3',
    'quiesce_keepalive_page_seconds_sum{method="GET"} 61.005',
    'quiesce_keepalive_page_seconds_count{method="GET"} 3',
  ]);
});

it('the options that the pages name are there, with these defaults', () => {
  const fallback = (flag: string): string | undefined =>
    keepaliveOptions.find((each) => each.flag.startsWith(flag))?.fallback;
  for (const [, flag = '', value] of page('keepalive.md').matchAll(/`(--[a-z-]+)` \((\w+)\)/g))
    expect(fallback(flag)).toBe(value);
  expect(page('mail.md')).toContain(`\`${ownTemplatesFolder}/layout.html\``);
});
