import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createId, type ProjectId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createRollups, listRequestHours, type Rollups } from './index.ts';
import { BASE_MS, HOUR_MS, MINUTE_MS } from './rows.fixture.ts';
import { selectAllEdges, selectEdges } from './service-edges-store.ts';

const stores = storesOfFile();
const open = () => createRollups({ store: stores.traces, log: createLog('fatal') }, { quietMs: 0 });

/** An item that a service sends: a request, or a span that is not a request. */
interface Sent {
  readonly id: string;
  readonly kind: 'request' | 'span';
  readonly trace: number;
  readonly span: number;
  readonly parent: number;
  readonly service: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly failed: boolean;
}

const sent: fc.Arbitrary<Sent> = fc
  .record({
    kind: fc.constantFrom('request', 'request', 'span'),
    trace: fc.nat(2),
    span: fc.integer({ min: 1, max: 9 }),
    parent: fc.oneof(fc.constant(0), fc.nat(12)),
    service: fc.constantFrom('shop', 'mail', ''),
    // Times around an hour's boundary, within hours, and many hours apart.
    atMs: fc.oneof(
      fc.nat(4).map((ms) => HOUR_MS - 2 + ms),
      fc.nat(3 * HOUR_MS),
      fc.nat(60 * HOUR_MS),
    ),
    durationMs: fc.oneof(fc.nat(5), fc.nat(HOUR_MS), fc.nat(12 * HOUR_MS)),
    failed: fc.boolean(),
  })
  .map(({ atMs, ...rest }) => ({ ...rest, id: v7({ msecs: BASE_MS + atMs }), startMs: BASE_MS + atMs }))
  // A span is never its own parent.
  .filter(({ span, parent }) => span !== parent);

const hex = (id: number, digits: number) => (id === 0 ? '' : id.toString(16).padStart(digits, '0'));

async function store(rollups: Rollups, project: ProjectId, all: readonly Sent[]): Promise<void> {
  const now = (Date.now() / 1000).toFixed(6);
  const lines = (rows: readonly (readonly unknown[])[]) =>
    Buffer.from(rows.map((row) => `${row.join('\t')}\n`).join(''));
  const of = (kind: Sent['kind']) => all.filter((each) => each.kind === kind);
  const spans = of('span').map((each) => [
    ...[project, hex(each.trace + 1, 32), hex(each.span, 16), each.service, each.startMs * 1_000_000, now],
  ]);
  const spanColumns = ['project_id', 'trace_id', 'span_id', 'service', 'start_nanos', 'stored_at'];
  if (spans.length > 0) await stores.traces.insert('spans', spanColumns, lines(spans));
  const stored = await rollups.changing(
    of('request').flatMap(({ startMs, durationMs }) => listRequestHours(project, startMs, durationMs)),
  );
  const requests = of('request').map((each) => [
    ...[project, (each.startMs / 1000).toFixed(6), each.id, each.startMs, hex(each.trace + 1, 32)],
    ...[
      hex(each.span, 16),
      hex(each.parent, 16),
      each.durationMs * 1000,
      Number(each.failed),
      each.service,
      now,
    ],
  ]);
  const columns = ['project_id', 'start_time', 'id', 'id_time_ms', 'trace_id', 'span_id', 'parent_span_id'];
  const values = ['duration_micros', 'is_error', 'service', 'stored_at'];
  if (requests.length > 0) await stores.traces.insert('traces', [...columns, ...values], lines(requests));
  stored();
}

/** Finds the caller of each request by comparing all pairs. */
function callersAmong(all: readonly Sent[]): ReadonlyMap<Sent, string> {
  const findCaller = (asked: Sent) =>
    all
      .filter((other) => other.trace === asked.trace && other.id !== asked.id)
      .filter(({ startMs }) => Math.abs(startMs - asked.startMs) <= 3 * HOUR_MS)
      .map((other) => ({ other, named: other.span === asked.parent }))
      .filter(({ other: { kind, startMs, durationMs }, named }) => {
        const ran = startMs <= asked.startMs && asked.startMs <= startMs + durationMs;
        return named || (kind === 'request' && ran);
      })
      .sort(
        (one, two) =>
          Number(one.named) - Number(two.named) ||
          one.other.startMs - two.other.startMs ||
          (one.other.service < two.other.service ? -1 : 1),
      )
      .at(-1)?.other.service;
  return new Map(
    all.flatMap((each) => {
      const source = each.kind === 'request' && each.parent !== 0 ? findCaller(each) : undefined;
      return source === undefined ? [] : [[each, source] as const];
    }),
  );
}

/**
 * Returns the hours whose rollups have a wrong caller, because the real caller arrived later and started hours before or after its callee.
 * Storing a caller does not mark such an hour as dirty; its rollup is corrected when the hour changes again.
 */
function unmarked(project: ProjectId, before: readonly Sent[], all: readonly Sent[]) {
  const [old, now] = [callersAmong(before), callersAmong(all)];
  return before
    .filter((each) => old.get(each) !== now.get(each))
    .flatMap(({ startMs }) => listRequestHours(project, startMs, 0));
}

async function compare(rollups: Rollups, project: ProjectId, all: readonly Sent[]): Promise<void> {
  const range = {
    from: BigInt(BASE_MS + 30 * MINUTE_MS) * 1000n,
    until: BigInt(BASE_MS + 25 * HOUR_MS) * 1000n,
  };
  const asked = [...callersAmong(all)];
  const shown = asked.filter(
    ([{ startMs }]) => startMs >= BASE_MS + 30 * MINUTE_MS && startMs < BASE_MS + 25 * HOUR_MS,
  );
  const edges = [...Map.groupBy(shown, ([{ service }, source]) => `${source} → ${service}`)].map(
    ([name, each]) => ({
      name,
      requests: each.length,
      errors: each.filter(([{ failed }]) => failed).length,
      micros: each.reduce((sum, [{ durationMs }]) => sum + durationMs * 1000, 0),
    }),
  );
  const figures = await rollups.callers({ id: project, shownSince: 0n }, range);
  const byName = (some: readonly { readonly name: string }[]) =>
    [...some].sort((one, two) => (one.name < two.name ? -1 : 1));
  expect(
    byName(figures.map(({ source, target, ...rest }) => ({ name: `${source} → ${target}`, ...rest }))),
  ).toEqual(byName(edges));
  const found = await selectEdges(
    stores.traces,
    { projects: [project], from: undefined, until: undefined },
    [],
  );
  const rows = await stores.traces.rows(
    z.object({ request: z.string(), source: z.string() }),
    `SELECT request, source FROM (${selectAllEdges(found)})`,
    found.params,
  );
  expect(rows.map(({ request, source }) => `${request} ${source}`).sort()).toEqual(
    asked.map(([{ id }, source]) => `${id} ${source}`).sort(),
  );
}

test.runIf(isThorough())(
  'callers of services are the same whether they are read from traces, from rollups, or from both',
  async () => {
    const rounds = fc.sample(
      // Ids are unique: of two spans with the same id, ClickHouse stores one or both, depending on whether it has merged them.
      fc.uniqueArray(sent, {
        minLength: 1,
        maxLength: 40,
        selector: ({ kind, id, trace, span }) => (kind === 'request' ? id : `${trace} ${span}`),
      }),
      repetitions({ usually: 3, thoroughly: 150 }),
    );
    const rollups = open();
    for (const all of rounds) {
      const project = createId<ProjectId>();
      // Another project with the same ids must not affect the result.
      await store(rollups, createId<ProjectId>(), all.slice(0, 3));
      const half = all.slice(0, all.length / 2);
      await store(rollups, project, half);
      await compare(rollups, project, half);
      await rollups.run();
      await compare(rollups, project, half);
      // Sends one request of the previous batch again, as the exporter does when it retries.
      await store(rollups, project, all.slice(Math.max(0, half.length - 1)));
      const changing = await rollups.changing(unmarked(project, half, all));
      await compare(rollups, project, all);
      changing();
      await rollups.rebuild(project, { from: 0n, until: BigInt(BASE_MS + 25 * HOUR_MS) * 1000n });
      await rollups.run();
      await compare(rollups, project, all);
    }
    await rollups.close();
  },
  300_000,
);

test('the caller of a request is found even if the caller arrives later than the request, and began in the hour before', async () => {
  const rollups = open();
  const project = createId<ProjectId>();
  const at = (afterMs: number, rest: Partial<Sent>): Sent => ({
    ...{
      id: v7({ msecs: BASE_MS + afterMs }),
      kind: 'request',
      trace: 0,
      span: 1,
      parent: 0,
      service: 'shop',
    },
    ...{ startMs: BASE_MS + afterMs, durationMs: 5, failed: false, ...rest },
  });
  const asked = at(HOUR_MS + 1, { span: 2, parent: 1, service: 'mail' });
  await store(rollups, project, [asked]);
  await rollups.run();
  await compare(rollups, project, [asked]);
  const asking = at(HOUR_MS - 1, {});
  await store(rollups, project, [asking]);
  for (const rolledUp of [false, true]) {
    if (rolledUp) await rollups.run();
    await compare(rollups, project, [asked, asking]);
    expect(callersAmong([asked, asking]).get(asked)).toBe('shop');
  }
  await rollups.close();
});
