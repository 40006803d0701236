import { describe, expect, it } from 'vitest';
import { findHidden, findReadable } from './exam.ts';
import { generateOrdinaryValues, generateSecrets, type PlacedItem } from './index.ts';

const COUNT = 10_000;
const SEEDS = [101, 102, 103];

const described = ({ form, place }: PlacedItem) => `${form}: ${JSON.stringify(place)}`;

describe.each(SEEDS)('a redactor, with values of seed %i', (seed) => {
  it('leaves none of 10,000 secrets readable', () => {
    expect(findReadable(generateSecrets(seed, COUNT)).map(described)).toEqual([]);
  });

  it('hides at most 100 of 10,000 ordinary values', () => {
    const hidden = findHidden(generateOrdinaryValues(seed, COUNT)).map(described);
    expect(hidden.length, hidden.join('\n')).toBeLessThanOrEqual(COUNT / 100);
  });
});
