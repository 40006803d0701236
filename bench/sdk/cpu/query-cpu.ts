import { Redactor } from '@throughline/contract/redaction';
import { runQuery } from '../../../packages/sdk/src/libraries/drivers/synchronous-query.ts';
import { runRecording } from '../../../packages/sdk/src/record/async/work-context.ts';
import { defaultLimits } from '../../../packages/sdk/src/record/capture/limits.ts';
import { Recording } from '../../../packages/sdk/src/record/recording.ts';
import { returnWriter } from '../../../packages/sdk/src/record/writer/writer-pool.ts';
import { writeTrace } from '../../../packages/sdk/src/send/encode/write-trace.ts';
import { makeTrace } from '../../../packages/sdk/src/send/trace.fixture.ts';
import { traced } from '../../../packages/sdk/test/traced.ts';
import { findAddedCost } from './added-cost.ts';

const WARM_UP = 2000;
const TRACES = 50;
/** Number of queries per trace. The values of ten queries stay below the SDK's limit for the values of one request. */
const QUERIES = 10;
/** Number of different rows. Like the texts of real rows, their texts do not all fit into the SDK's caches of texts. */
const ROWS = 2000;

const STATEMENT = `SELECT id, created_at, customer_id, customer_name, city, status, currency, total, items, weight, note, summary
  FROM orders WHERE region = ? AND created_at > ? AND total > ? AND customer_id = ? ORDER BY created_at LIMIT 5`;
const CODE = 'exports.list = function list(query) { query(); };';
const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Barbara Liskov', 'Edsger Dijkstra'];
const WORDS =
  `please leave the parcel at the back door of the house if nobody is there and call before you arrive because the bell
  is broken our dog is friendly and likes visitors deliver on weekdays only and ask the neighbours for help with large boxes`.split(
    /\s+/,
  );

/** Number of rows that each query returns, all of which are recorded. With 0 rows, only the bound values of the query are recorded. */
export type RecordedRows = 0 | 1 | 5;

/**
 * Measures how many µs of CPU the values of a query add: four bound values, and the values of `rows` rows with 12 columns each. Returns one
 * value for each round. Blocks of traces with and without these values take turns in one process.
 */
export function queryCpu(rounds: number, rows: RecordedRows): number[] {
  const { list } = traced(CODE);
  if (list === undefined) throw new Error('list was not instrumented');
  const redactor = new Redactor();
  const texts = Array.from({ length: ROWS }, (_, index) => JSON.stringify(makeRow(index)));
  let next = 0;
  /** Parses new rows, because a driver creates new texts for each query. */
  const fetchRows = () =>
    Array.from({ length: rows }, () => {
      const row = JSON.parse(texts[next++ % ROWS] ?? '');
      return { ...row, created_at: new Date(row.created_at) };
    });
  const query = (withValues: boolean) =>
    runQuery(
      () => ({
        driver: 'better-sqlite3',
        system: 'sqlite',
        text: STATEMENT,
        values: withValues ? [`EU-${next % 7}`, new Date(next), next % 500, makeId(next)] : undefined,
      }),
      fetchRows,
      (found) => found.length,
      (found) => (withValues ? found : undefined),
    );
  const writeOne = (withValues: boolean): void => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    runRecording(recording, () => {
      for (let count = 0; count < QUERIES; count++) list(() => query(withValues));
    });
    const { flow, secrets, writer } = recording.finish();
    const json = writeTrace(
      { ...makeTrace('019aa5c1-5b40-7000-8000-000000000001'), flow, secrets, writer },
      redactor,
    );
    if (withValues && json.length < QUERIES * (rows * 500 + 300)) throw new Error('values are missing');
    if (writer !== null) returnWriter(writer);
  };
  const writeBlock = (withValues: boolean) => {
    const before = process.threadCpuUsage();
    for (let trace = 0; trace < TRACES; trace++) writeOne(withValues);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / TRACES / QUERIES;
  };
  for (let trace = 0; trace < WARM_UP; trace++) writeOne(trace % 2 === 0);
  return findAddedCost(rounds, writeBlock);
}

function makeRow(index: number) {
  return {
    id: makeId(index),
    created_at: Date.UTC(2026, 0, 1) + index * 61_000,
    customer_id: makeId(index * 31),
    customer_name: `${NAMES[index % NAMES.length]} ${index}`,
    city: `Springfield ${index % 90}`,
    status: ['paid', 'shipped', 'open'][index % 3],
    currency: 'EUR',
    total: 1000 + (index % 977) / 4,
    items: index % 13,
    weight: index / 8,
    note: makeText(index, 12),
    summary: makeText(index * 7, 30),
  };
}

function makeText(seed: number, words: number): string {
  const chosen = Array.from({ length: words }, (_, at) => WORDS[hash(seed * 64 + at) % WORDS.length]);
  // Without the full stop, some texts would look like the beginning of an SQL statement.
  return `${chosen.join(' ')}.`;
}

/** Returns a UUID that is the same for equal seeds. */
function makeId(seed: number): string {
  const hex = [0, 1, 2, 3]
    .map((part) =>
      hash(seed * 4 + part)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function hash(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0;
}
