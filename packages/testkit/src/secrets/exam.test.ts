import { Redactor } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import { findHidden, findReadable } from './exam.ts';
import { generateOrdinaryValues, generateSecrets, generateUntellable, type PlacedItem } from './index.ts';

const COUNT = 2000;
const SEED = 3;

const described = ({ form, place }: PlacedItem) => `${form}: ${JSON.stringify(place)}`;

describe('the redactor', () => {
  it('leaves no secret readable, in any field, under any name, in any text', () => {
    expect(findReadable(generateSecrets(SEED, COUNT)).map(described)).toEqual([]);
  });

  it('hides at most one in a hundred ordinary values', () => {
    const hidden = findHidden(generateOrdinaryValues(SEED, COUNT)).map(described);
    expect(hidden.length, hidden.join('\n')).toBeLessThanOrEqual(COUNT / 100);
  });

  it('cannot distinguish digests of secrets under ordinary names from other digests, so that all digests stay readable', () => {
    expect(findReadable(generateUntellable(SEED, 300), new Redactor())).toHaveLength(300);
  });
});
