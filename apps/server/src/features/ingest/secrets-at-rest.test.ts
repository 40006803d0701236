import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';
import { findHiddenInAnswers, findReadableAtRest } from './secrets-at-rest.fixture.ts';

/** As many as a new account may send, each once as a trace and once as a span. */
const COUNT = 450;

const file = serverOfFile();

test('no secret is readable in a stored row or an answer, whatever field, name, text or encoding it came in', async () => {
  expect(await findReadableAtRest(file.server, 11, COUNT)).toEqual([]);
});

test('at most one in a hundred ordinary values is hidden in answers', async () => {
  const hidden = await findHiddenInAnswers(file.server, 11, COUNT);
  expect(hidden.length, hidden.join('\n')).toBeLessThanOrEqual(COUNT / 100);
});
