import { Redactor } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import { isThorough } from '../../thorough.ts';
import { buildCredentials, buildOrdinary, CREDENTIAL_FORMS, ORDINARY_FORMS } from './index.ts';
import { findReadable, shows } from './read.ts';

/** Number of values that are generated for each form of a value, such as `JWT as bearer`: 13 in `npm run test:long`, one in `npm test`. */
const ROUNDS = isThorough() ? 13 : 1;
const SEED = 7;
const redactor = new Redactor();

/** Forms whose names and values do not suggest a secret, so that no rule recognizes them. A project can add the names to its own rules. */
const NOT_RECOGNIZED = ['MFA seed key', 'SNMP community', 'Map with object keys'];
/** Ordinary values that are hidden, because such names usually belong to secrets. */
const HIDDEN_BY_NAME = [
  'theme cookie',
  'language cookie',
  'shipping pin',
  'salt in a recipe',
  'cookie product',
  'card last digits',
];

describe('the credentials of a backend', () => {
  it('stay readable only if their names and values do not reveal that they are credentials', () => {
    const readable = buildCredentials(CREDENTIAL_FORMS * ROUNDS, SEED)
      .filter((one) => shows(findReadable(one, redactor), one))
      .map(({ name }) => name);
    expect([...new Set(readable)].sort()).toEqual([...NOT_RECOGNIZED].sort());
  });
});

describe('ordinary values that look like credentials', () => {
  it('are redacted in at most one case in a hundred, unless they have names of secrets', () => {
    const values = buildOrdinary(ORDINARY_FORMS * ROUNDS, SEED);
    const hidden = values
      .filter((one) => !HIDDEN_BY_NAME.includes(one.name) && !shows(findReadable(one, redactor), one))
      .map(({ name, value }) => `${name}: ${value}`);
    expect(hidden.length, hidden.join('\n')).toBeLessThanOrEqual(values.length / 100);
  });
});
