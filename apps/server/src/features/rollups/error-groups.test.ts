import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTraceStore, type TraceStore } from '../../platform/trace-store/index.ts';
import { ERROR_GROUP, MAX_MESSAGE_LENGTH } from './names-store.ts';

/** A project whose errors were stored when groups still contained quoted text. */
const OLD_PROJECT = v4();

let dataDir: string;
let store: TraceStore;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-error-groups-'));
  const before = await openTraceStore({ clickhouse: undefined, dataDir }, { upTo: 12 });
  await before.command(
    `INSERT INTO traces (project_id, id, start_time, is_error, error_message)
     SELECT {project:UUID}, generateUUIDv4(), now64(6), true, concat('no user "', arrayJoin(['Ada', 'Bob']), '"')`,
    { project: OLD_PROJECT },
  );
  await before.close();
  store = await openTraceStore({ clickhouse: undefined, dataDir });
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the error groups that the store computes for failed requests with these messages. */
async function computeGroups(messages: readonly string[]): Promise<string[]> {
  const project = v4();
  const rows = messages.map((message, at) =>
    JSON.stringify({
      project_id: project,
      id: v4(),
      start_time: 1_700_000_000 + at,
      is_error: true,
      error_message: message,
    }),
  );
  await store.command(
    `INSERT INTO traces (project_id, id, start_time, is_error, error_message)
     SELECT JSONExtractString(row, 'project_id'), JSONExtractString(row, 'id'), toDateTime64(JSONExtractUInt(row, 'start_time'), 6),
       true, JSONExtractString(row, 'error_message') FROM (SELECT arrayJoin({rows:Array(String)}) AS row)`,
    { rows },
  );
  const found = await store.rows(
    z.object({ group: z.string() }),
    `SELECT ${ERROR_GROUP} AS group FROM traces WHERE project_id = {project:UUID} ORDER BY start_time`,
    { project },
  );
  return found.map(({ group }) => group);
}

const words = fc.constantFrom(
  'order',
  'was',
  'refused',
  'by',
  'warehouse',
  "can't",
  'Straße',
  'utf8',
  'for',
  'user',
  'SHA256',
  'I/O',
  'don’t',
);
const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
const plain = fc
  .array(fc.oneof(letters, fc.constantFrom(' ', '1', 'é', '—', '%')), { minLength: 1, maxLength: 12 })
  .map((all) => all.join(''));
const QUOTES = ['""', "''", '``', '“”', '„“', '„”', '‘’', '«»', '‹›', '「」', '『』'] as const;
const at = fc.date({ min: new Date('2001-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));

/** Values in messages that differ from one request to the next. */
const VALUES: { readonly [kind: string]: fc.Arbitrary<string> } = {
  quoted: fc
    .tuple(fc.constantFrom(...QUOTES), plain)
    .map(([[open = '', close = ''], text]) => open + text + close),
  apostrophe: plain.map((text) => `'O'Brien ${text}'`),
  email: fc
    .tuple(
      fc.stringMatching(/^[a-z][a-z0-9.+_-]{0,8}[a-zé]$/),
      fc.constantFrom('example.com', 'mail.example.org', 'localhost'),
    )
    .map(([name, host]) => `${name}@${host}`),
  uuid: fc.uuid(),
  hex: hex(16).map((digits) => `7${digits}`),
  objectId: hex(22).map((digits) => `6f${digits}`),
  pointer: hex(12).map((digits) => `0x${digits}`),
  number: fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(String),
  ),
  amount: fc.integer({ min: 1000, max: 10_000_000 }).map((amount) => amount.toLocaleString('en')),
  duration: fc.integer({ min: 0, max: 100_000 }).map((ms) => `${ms}ms`),
  address: fc.ipV4().chain((ip) => fc.nat(65_535).map((port) => `${ip}:${port}`)),
  instant: at.map((date) => date.toISOString()),
  day: at.map((date) => date.toISOString().slice(0, 10)),
  longDate: at.map(String),
  mailDate: at.map((date) => date.toUTCString()),
  list: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }).map((all) => all.join(', ')),
};
const kinds = fc.constantFrom(...Object.keys(VALUES));
const generateValue = (kind: string) => VALUES[kind] ?? fc.constant('');

/** A message template of words and placeholders. Words separate the placeholders, so that the group depends only on the template. */
const template = fc
  .array(fc.record({ words: fc.array(words, { minLength: 1, maxLength: 3 }), kind: kinds }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((parts) => fc.boolean().map((endsInWord) => ({ parts, endsInWord })));
type Template = typeof template extends fc.Arbitrary<infer Of> ? Of : never;

const write = ({ parts, endsInWord }: Template, values: readonly string[]) =>
  parts.map((part, place) => `${part.words.join(' ')} ${values[place]}`).join(' ') +
  (endsInWord ? ' failed' : '');

describe('an error group', () => {
  test('is the template of a message, regardless of the values in it', {
    timeout: repetitions({ usually: 120_000, thoroughly: 1_200_000 }),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          template.chain((one) =>
            fc.record({
              template: fc.constant(one),
              fillings: fc.array(fc.tuple(...one.parts.map(({ kind }) => generateValue(kind))), {
                minLength: 2,
                maxLength: 3,
              }),
            }),
          ),
          { minLength: 30, maxLength: 60 },
        ),
        async (all) => {
          const cases = all.flatMap((one) =>
            one.fillings.map((values) => ({
              message: write(one.template, values),
              group: write(
                one.template,
                one.template.parts.map(() => '…'),
              ),
            })),
          );
          const groups = await computeGroups(cases.map(({ message }) => message));
          expect(cases.map(({ message }, place) => ({ message, group: groups[place] }))).toEqual(cases);
        },
      ),
      { numRuns: repetitions({ usually: 2, thoroughly: 300 }) },
    );
  });

  test.each([
    ['No user named "Ada Lovelace" (ada@example.com)', 'No user named … (…)'],
    ['Benutzer „Müller“ nicht gefunden', 'Benutzer … nicht gefunden'],
    [
      "Cannot read properties of undefined (reading 'rate')",
      "Cannot read properties of undefined (reading 'rate')",
    ],
    ["Cannot set properties of null (setting 'total')", "Cannot set properties of null (setting 'total')"],
    ["Cannot read properties of undefined (reading '17')", 'Cannot read properties of undefined (reading …)'],
    ["ENOENT: no such file or directory, open '/tmp/x-1/a.png'", 'ENOENT: no such file or directory, open …'],
    ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED …'],
    [
      'GET https://api.example.com/orders/17?token=abc answered 502',
      'GET https://api.example.com/orders/… answered …',
    ],
    ['no route /users/8f14e45fceea167a/cart', 'no route /users/…/cart'],
    [
      'insert into "orders" violates unique constraint "orders_pkey"',
      'insert into … violates unique constraint …',
    ],
    ["can't reach customer's bank, don't retry", "can't reach customer's bank, don't retry"],
    ['TypeError: x is not a function', 'TypeError: x is not a function'],
    ['customer cus_9s6XKzkNRiz8i3 has no card', 'customer cus_… has no card'],
    ['Only UTF8, SHA256 and http2 are known', 'Only UTF8, SHA256 and http2 are known'],
    ['line ends " here', 'line ends " here'],
    ['token eyJhbGciOiJIUzI1NiIsInR5.eyJzdWIiOiIxMjM0NTY3ODkwIiwi expired', 'token … expired'],
  ])('of %j is %j', async (message, group) => {
    expect(await computeGroups([message])).toEqual([group]);
  });

  test('differs for messages with different words', async () => {
    const messages = ['card of "Ada" was declined', 'card of "Ada" was stolen', 'cart of "Ada" was declined'];
    expect(new Set(await computeGroups(messages)).size).toBe(3);
  });

  test.each([
    ["'"],
    ['"'],
    ['`'],
    ['“'],
    ['@'],
    ['a@'],
    ['1-'],
    ['/?'],
    ['a1'],
    ['Mon, '],
    ["(reading '"],
    ['…'],
  ])('has a bounded length for a message with many %j', async (piece) => {
    const [group = ''] = await computeGroups([piece.repeat(100_000)]);
    expect([...group].length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  });

  test('is recomputed for errors that an earlier version stored', async () => {
    const sql = `SELECT DISTINCT ${ERROR_GROUP} FROM traces WHERE project_id = {project:UUID}`;
    expect(await store.lines(sql, { project: OLD_PROJECT })).toEqual(['no user …']);
  });
});
