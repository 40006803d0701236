import { type GroupField, parseInstant, type TraceGroup } from '@throughline/contract';
import fc from 'fast-check';

/** A time within the last hour, because a trial stores traces for an hour. */
const BASE_MS = Math.floor(Date.now() / 1000) * 1000 - 1_800_000;
export const at = (second: number) => new Date(BASE_MS + second * 1000).toISOString();

/** A request. A missing value is an empty string. */
export interface Row {
  readonly method: string;
  readonly route: string;
  readonly statusCode: number | null;
  readonly message: string;
  readonly user: string;
  readonly country: string;
  readonly service: string;
  readonly release: string;
  readonly instance: string;
  readonly second: number;
  readonly micros: number;
}

export const anyRow: fc.Arbitrary<Row> = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom('/orders', '/orders/:id', '/a "quoted" path'),
  statusCode: fc.constantFrom(null, 200, 200, 302, 404, 500),
  message: fc.constantFrom('', 'no stock', "cannot read 'rate'"),
  user: fc.constantFrom('', 'ada', 'Ünal 1', 'two words', 'say "hi"', '-minus:colon'),
  country: fc.constantFrom('', 'FR', 'DE'),
  service: fc.constantFrom('', 'shop'),
  release: fc.constantFrom('', '1.4.2'),
  instance: fc.constantFrom('', 'w1', 'w 2'),
  second: fc.integer({ min: 0, max: 600 }),
  micros: fc.oneof(fc.constantFrom(0, 1, 3_000_000_000), fc.integer({ min: 0, max: 5_000_000 })),
});

export function storeRow(row: Row) {
  return {
    request: {
      method: row.method,
      path: row.route,
      route: row.route,
      headers: row.country === '' ? {} : { 'cf-ipcountry': row.country },
    },
    response: { statusCode: row.statusCode },
    error: { hasError: row.message !== '', errorMessage: row.message || null },
    user: { id: row.user || null },
    timing: { startTime: at(row.second), duration: row.micros / 1000 },
  };
}

export const hasFailed = ({ statusCode, message }: Row) =>
  statusCode === null || statusCode >= 400 || message !== '';

/** Returns the expected error group of a request: the message with … in place of quoted text, or a label of the status. */
function nameError({ message, statusCode }: Row): string {
  if (message !== '') return message.replace("'rate'", '…');
  return statusCode === null ? 'No response' : `HTTP ${statusCode}`;
}

const KEYS: Readonly<Record<GroupField, (row: Row) => readonly [method: string, value: string]>> = {
  endpoint: ({ method, route }) => [method, route],
  errorGroup: (row) => ['', nameError(row)],
  user: ({ user }) => ['', user],
  release: ({ release }) => ['', release],
  service: ({ service }) => ['', service],
  status: ({ statusCode }) => ['', statusCode === null ? '' : String(statusCode)],
  country: ({ country }) => ['', country],
  instance: ({ instance }) => ['', instance],
};

function findNearestRank(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? 0;
}

const micros = (instant: string) => parseInstant(instant) ?? 0n;

/** Computes the expected groups from an array of rows. Computes the exact 95th percentile, which the store only estimates. */
export function groupNaively(
  rows: readonly Row[],
  field: GroupField,
  intervals: readonly { readonly from: string; readonly to: string }[],
) {
  const grouped = rows.filter((row) => field !== 'errorGroup' || hasFailed(row));
  const isIn = ({ second }: Row, { from, to }: { readonly from: string; readonly to: string }) =>
    micros(at(second)) >= micros(from) && micros(at(second)) < micros(to);
  return [...Map.groupBy(grouped, (row) => JSON.stringify(KEYS[field](row)))].map(([key, some]) => {
    const [method, value] = JSON.parse(key);
    const failed = some.filter(hasFailed).length;
    const seconds = some.map(({ second }) => second);
    return {
      method: method || null,
      value: value || null,
      count: some.length,
      errors: failed,
      errorRate: (100 * failed) / some.length,
      firstSeen: micros(at(Math.min(...seconds))),
      lastSeen: micros(at(Math.max(...seconds))),
      counts: intervals.map((interval) => some.filter((row) => isIn(row, interval)).length),
      p95Micros: findNearestRank(
        some.map((row) => row.micros),
        0.95,
      ),
    };
  });
}

/** Returns the fields that {@link groupNaively} computes, from a group in the server's response. */
export function readExact({ firstSeen, lastSeen, term, perMinute, p95Duration, ...group }: TraceGroup) {
  return { ...group, firstSeen: micros(firstSeen), lastSeen: micros(lastSeen) };
}
