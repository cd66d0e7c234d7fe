import { describe, expect, it } from 'vitest';
import { type CodeEntry, problemCodes } from '../../src/validate/codes.ts';

describe('the table of codes', () => {
  it.each(Object.entries<CodeEntry>(problemCodes))('%s explains itself', (code, { title, why, remedy }) => {
    expect(code).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/);
    expect(title).toMatch(/^\S.*[^.\s]$/);
    expect(why).toMatch(/[.!?)]$/);
    expect(remedy).toMatch(/[.!?)]$/);
  });
});
