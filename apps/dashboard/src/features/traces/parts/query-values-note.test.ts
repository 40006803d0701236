import type { Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { aStep } from '../../../visuals/steps/step.fixture.ts';
import { describeMissingQueryValues } from './query-values-note.ts';

const query = (statement: string, more: Partial<Step> = {}) =>
  describeMissingQueryValues(
    aStep('query', { stepType: 'database', inputs: { statement }, outputs: { rows: 3 }, ...more }),
  );

describe('a query without values', () => {
  it('explains that the values of its parameters and its rows are missing', () => {
    expect(query('SELECT id FROM users WHERE token = $1')).toMatch(
      /^Not shown: the values of the parameters and the rows\. They are left out if the query can contain a secret,/,
    );
  });

  it('explains only what is missing', () => {
    const statement = 'SELECT id FROM users WHERE name = $1';
    const values = { statement, values: ['Ada'] };
    expect(query(statement, { inputs: values })).toMatch(/^Not shown: the rows\./);
    const rows = { rows: 3, firstRows: [{ id: 1 }] };
    expect(query(statement, { outputs: rows })).toMatch(/^Not shown: the values of the parameters\./);
    expect(query(statement, { inputs: values, outputs: rows })).toBeUndefined();
  });

  it.each<[string, string, Partial<Step>]>([
    ['no rows were found', 'SELECT id FROM users', { outputs: { rows: 0 } }],
    ['the statement only changes rows', 'UPDATE users SET name = ?', {}],
    ['the statement has literals only', 'DELETE FROM users WHERE id = ?', {}],
    ['the step is no query', 'SELECT $1', { stepType: 'function' }],
  ])('explains nothing if %s', (_, statement, more) => {
    expect(query(statement, more)).toBeUndefined();
  });

  it('explains nothing for a query that OpenTelemetry sent, because OpenTelemetry records no rows', () => {
    const step = aStep('query', { stepType: 'database', inputs: { query: 'SELECT $1' } });
    expect(describeMissingQueryValues(step)).toBeUndefined();
  });
});
