import { describe, expect, it } from 'vitest';
import { parseBody } from './parse-body.ts';

describe('a body', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' [1]', [1]],
    ['{"a":', '{"a":'],
    ['12', '12'],
    ['plain', 'plain'],
    [undefined, undefined],
    [{ a: 1 }, { a: 1 }],
  ])('%j is shown as %j', (body, shown) => {
    expect(parseBody(body)).toEqual(shown);
  });

  it('that is too long to be parsed stays a string', () => {
    const long = `[${'1,'.repeat(600_000)}1]`;
    expect(parseBody(long)).toBe(long);
  });
});
