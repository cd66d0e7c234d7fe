import { expect, it } from 'vitest';
import { selects } from '../../../src/rehearsal/uninstall/selector.ts';

const labels = { app: 'shop', tier: 'web', 'example.com/made-by': 'operator' };

it.each([
  ['app=shop', true],
  ['app==shop,tier=web', true],
  ['app=shop,tier=db', false],
  ['app!=shop', false],
  ['color!=red', true],
  ['tier in (web, worker)', true],
  ['tier notin (web, worker)', false],
  ['color notin (red)', true],
  ['color in (red)', false],
  ['example.com/made-by', true],
  ['!color', true],
  ['!app', false],
  ['constructor', false],
  ['app=shop,', false],
  ['(', false],
])('%s selects: %s', (selector, expected) => {
  expect(selects(selector, labels)).toBe(expected);
});
