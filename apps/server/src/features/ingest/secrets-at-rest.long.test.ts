import { serverOfFile } from '@throughline/testkit/scene';
import { expect, test } from 'vitest';
import { findHiddenInAnswers, findReadableAtRest } from './secrets-at-rest.fixture.ts';

const MAX_MS = 30 * 60_000;

const file = serverOfFile();

test(
  'none of 10,000 secrets is readable in a stored row or an answer',
  async () => {
    expect(await findReadableAtRest(file.server, 21, 10_000)).toEqual([]);
  },
  MAX_MS,
);

test(
  'at most 100 of 10,000 ordinary values are hidden in answers',
  async () => {
    const hidden = await findHiddenInAnswers(file.server, 21, 10_000);
    expect(hidden.length, hidden.join('\n')).toBeLessThanOrEqual(100);
  },
  MAX_MS,
);
