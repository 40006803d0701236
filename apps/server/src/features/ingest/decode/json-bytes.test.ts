import { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { composePlanted, composeValue, listPlanted } from '@throughline/testkit/secrets';
import { repetitions } from '@throughline/testkit/thorough';
import { describe, expect, it } from 'vitest';
import { JsonBytes } from './json-bytes.ts';

const redactor = new Redactor();

/** True if a value can be stored as it was sent. */
const isUnchanged = (value: CapturedValue) =>
  new JsonBytes(Buffer.from(JSON.stringify(value)), redactor).readValue(0);

describe('a value that is stored as it was sent', () => {
  it.each(listPlanted('velvet'))(
    'contains no secret that is recognizable only by the values beside it: $value',
    ({ value }) => {
      expect(isUnchanged(value)).toBe(false);
    },
  );

  it.each([61, 62])('is not changed by redaction, for composed values of seed %i', (seed) => {
    let count = 0;
    for (let item = 0; item < repetitions({ usually: 800, thoroughly: 20_000 }); item++) {
      const { value } = item % 4 === 0 ? composePlanted(seed, item) : composeValue(seed, item);
      if (!isUnchanged(value)) continue;
      count++;
      expect(redactor.value(value), `item ${item}: ${JSON.stringify(value)}`).toBe(value);
    }
    expect(count).toBeGreaterThan(10);
  });
});
