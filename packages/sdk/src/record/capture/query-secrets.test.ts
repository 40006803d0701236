import { describe, expect, it } from 'vitest';
import { beginQuery, capture, customer } from './query-values.fixture.ts';

describe('secrets in the rows of queries', () => {
  it('do not count towards the limit of secrets that are hidden in the whole trace', () => {
    const query = beginQuery();
    for (let count = 0; count < 60; count++) {
      const rows = Array.from({ length: 5 }, (_, at) => ({ id: at, apiKey: `Zq81kLmWp0x3${count}-${at}` }));
      capture({ rows }, query);
    }
    expect(query.recording.finish().secrets.size).toBe(0);
  });

  it('are found in columns after the last captured column', () => {
    const columns = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`c${at}`, at]));
    expect(capture({ rows: [{ it: 'hunter2', ...columns, what: 'smtp_password' }] }).rows).toBeUndefined();
    expect(capture({ rows: [{ it: 'harmless', ...columns, what: 'smtp_host' }] }).rows).toBeDefined();
  });

  it('are found in a row with a parameter path of more than 100 characters that names a secret', () => {
    const path = `production/eu-west-1/${'service/'.repeat(11)}smtp/password/current`;
    expect(capture({ rows: [{ path, it: 'hunter2' }] }).rows).toBeUndefined();
  });

  it('are not shown by a later query that receives or returns a copy of the secret', () => {
    const query = beginQuery();
    const hash = 'Zq81kLmWp0x3';
    const id = '019aa5c1-5b40-7000-8000-000000000001';
    const statement = 'UPDATE users SET password = $1 WHERE email = $2 AND id = $3';
    capture({ statement, values: [hash, 'ada@example.org', id] }, query);
    const log = 'INSERT INTO logs (id, note) VALUES ($1, $2)';
    expect(JSON.stringify(capture({ statement: log, values: [2, hash] }, query))).not.toContain(hash);
    expect(capture({ rows: [{ id: 2, note: hash }] }, query).rows).toBeUndefined();
    const harmless = [id, 'ada@example.org'];
    expect(capture({ statement: log, values: harmless }, query).bound).toEqual(harmless);
  });

  it('cause no error in the host if the list of values or rows is a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(capture({ values: proxy, rows: proxy })).toEqual({ bound: undefined, rows: undefined });
  });

  it('do not use up the bytes for rows, because rows with secrets are not shown', () => {
    const query = beginQuery();
    const rows = [
      {
        what: 'smtp_password',
        ...Object.fromEntries('abcdefghijkl'.split('').map((name) => [name, name.repeat(250)])),
      },
    ];
    for (let count = 0; count < 40; count++) expect(capture({ rows }, query).rows).toBeUndefined();
    expect(capture({ rows: [customer] }, query).rows).toEqual([customer]);
  });
});
