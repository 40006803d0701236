import { Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import { parseBody, parseLines } from './parse-body.ts';

const redactor = new Redactor();
const options = { redactor, isCounted: false };
const MEMBERS = `{${'"a":0,'.repeat(100_000)}"a":0}`;
const NAME = `{"${'n'.repeat(512 * 1024 + 1)}":0}`;

// The limits are fixed numbers, so that these tests also fail if a limit is raised by mistake.
test.each([
  ['100,001 members in one object', 'keys', MEMBERS],
  ['a name of more than 512 kB', 'nameBytes', NAME],
])('a small body with %s is refused before any of its traces is read', (_what, limit, object) => {
  const trace = `{"user":${object}}`;
  expect(() => parseBody(Buffer.from(`{"traces":[${trace}]}`), options)).toThrow(
    expect.objectContaining({ name: 'JsonTooLarge', limit }),
  );
  expect(() => parseLines(Buffer.from(trace), options)).toThrow(
    expect.objectContaining({ name: 'JsonTooLarge', limit }),
  );
});
