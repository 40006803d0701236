import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { withEngine } from '../lib/engine.ts';
import { type Figure, figure } from '../lib/figures.ts';
import type { GeneratedTrace } from '../lib/trace-generator.ts';
import { DAYS, generateTemplates, type Loaded } from './load.ts';

/** A typical search, such as `value:charge.order.totalCents>50000`: a step name, and a number in the step's inputs. */
const STEP = 'charge';
const MIN_CENTS = 50_000;
/** Reads the number from the stored columns, as docs/adr/0022-typed-search-over-values.md describes. */
const STORED = `JSONExtract(captured, 'inputs', 'order', 'totalCents', 'Nullable(Float64)')`;
const SEARCHED_TEXT = `'"totalCents"'`;
const DAY_MS = 86_400_000;

/** The steps that are searched: with one name, or with any name. */
const STEPS_OF = [
  { whose: `steps called ${STEP}`, named: `AND name = '${STEP}'` },
  { whose: 'steps of any name', named: '' },
] as const;
/**
 * Length of each range in days, and how many days ago the range ends in the repetition `turn`. Each repetition reads another day, or all
 * data.
 */
const RANGES = [
  { range: 'a day', days: 1, endsDaysAgo: (turn: number) => turn },
  { range: `${DAYS} days`, days: DAYS, endsDaysAgo: () => 0 },
] as const;

/**
 * Measures a typed search over captured values in rounds: counts the requests with a step whose input `order.totalCents` is above a limit.
 * Reads only columns that the store already has. The figures per million steps divide by all steps in the range, not only by the steps with
 * the searched name. The expected count for the whole range is computed from the generated values. The expected count for one day comes
 * from the stored response bodies, which contain the same number.
 * @throws Error if the count is wrong
 */
export function typedSearchFigures(loaded: Loaded, rounds: number): Promise<Figure[]> {
  const totals = [...generateTemplates(loaded).map(findTotal)];
  return withEngine(loaded.dataDir, async (client) => {
    const figures: Figure[] = [];
    for (const { whose, named } of STEPS_OF) {
      for (const { range, days, endsDaysAgo } of RANGES) {
        const taken: Taken[] = [];
        // The first repetition does not count, because it includes one-time costs.
        for (let turn = 0; turn <= rounds; turn += 1) {
          const untilMs = loaded.untilMs - endsDaysAgo(turn) * DAY_MS;
          const within = { fromMs: untilMs - days * DAY_MS, untilMs };
          const cents = MIN_CENTS + turn * 100;
          const one = await search(client, loaded.projectId, named, within, cents);
          const expected =
            days === DAYS
              ? totals.filter((total) => total > cents).length * loaded.copies
              : await requestsThatSaidMore(client, loaded.projectId, within, cents);
          if (one.requests !== expected || expected === 0)
            throw new Error(`of ${expected} requests above ${cents} in ${range}, ${one.requests} were found`);
          if (turn > 0) taken.push(one);
        }
        figures.push(...listFigures(`typed search, ${whose}, ${range}`, taken));
      }
    }
    return figures;
  });
}

function listFigures(name: string, taken: readonly Taken[]): Figure[] {
  const one = (what: string, unit: string, of: (one: Taken) => number) =>
    figure(`${name}${what}`, unit, taken.map(of));
  return [
    one('', 'ms', ({ ms }) => ms),
    one(', a million steps', 's', ({ ms, steps }) => (ms * 1000) / steps),
    one(', a million steps, CPU', 's', ({ cpuMs, steps }) => (cpuMs * 1000) / steps),
    one(', a million steps, unpacked', 'MB', ({ bytes, steps }) => bytes / steps),
  ];
}

interface Taken {
  readonly ms: number;
  readonly cpuMs: number;
  /** Uncompressed bytes that the engine read. */
  readonly bytes: number;
  /** Number of steps in the range. */
  readonly steps: number;
  readonly requests: number;
}

interface Within {
  readonly fromMs: number;
  readonly untilMs: number;
}

const between = (project: string, { fromMs, untilMs }: Within) =>
  `project_id = '${project}' AND trace_time_ms >= ${fromMs} AND trace_time_ms < ${untilMs}`;

const Answer = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.tuple([row]), statistics: z.object({ bytes_read: z.number() }) });

async function ask<Row extends z.ZodType>(client: ClickHouseClient, row: Row, query: string) {
  const answer = await client.query({ query, format: 'JSON' });
  return Answer(row).parse(await answer.json());
}

async function search(
  client: ClickHouseClient,
  project: string,
  named: string,
  within: Within,
  cents: number,
): Promise<Taken> {
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  const found = await ask(
    client,
    z.object({ requests: z.coerce.number() }),
    `SELECT uniqExact(trace) AS requests FROM steps
     WHERE ${between(project, within)} ${named} AND position(captured, ${SEARCHED_TEXT}) > 0 AND ${STORED} > ${cents}`,
  );
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - startMs;
  const all = await ask(
    client,
    z.object({ steps: z.coerce.number() }),
    `SELECT count() AS steps FROM steps WHERE ${between(project, within)}`,
  );
  return {
    ms,
    cpuMs: (user + system) / 1000,
    bytes: found.statistics.bytes_read,
    steps: all.data[0].steps,
    requests: found.data[0].requests,
  };
}

/** Returns the largest `order.totalCents` among the inputs of a generated trace's steps; 0 if no step has one. */
function findTotal({ flow }: GeneratedTrace): number {
  return flow.reduce(
    (most, { inputs }) => Math.max(most, Order.safeParse(inputs).data?.order.totalCents ?? 0),
    0,
  );
}
const Order = z.object({ order: z.object({ totalCents: z.number() }) });

async function requestsThatSaidMore(
  client: ClickHouseClient,
  project: string,
  { fromMs, untilMs }: Within,
  cents: number,
): Promise<number> {
  const { data } = await ask(
    client,
    z.object({ requests: z.coerce.number() }),
    `SELECT uniqExact(id) AS requests FROM traces WHERE project_id = '${project}' AND id_time_ms >= ${fromMs} AND id_time_ms < ${untilMs}
       AND JSONExtractInt(response_body, 'totalCents') > ${cents}`,
  );
  return data[0].requests;
}
