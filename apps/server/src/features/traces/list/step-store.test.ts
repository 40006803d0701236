import { storesOfFile } from '@throughline/testkit/stores';
import { pickRows } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import { formatJsonField, timeOfTraceId } from '../../../platform/trace-store/index.ts';
import { classifyStep, StepKinds } from '../../rollups/index.ts';
import { combineConditions, type StepFilters, selectProjects } from './conditions.ts';
import { withoutSteps, withStep } from './step-store.ts';

const stores = storesOfFile();

interface Step {
  readonly name: string;
  readonly type: 'http' | 'database' | 'custom';
  readonly metadata: { readonly [name: string]: string };
  readonly failed: boolean;
  readonly calls: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom('load', 'GET shop/items/1', 'GET shop/items/2', 'SELECT x'),
  type: fc.constantFrom('http', 'database', 'custom'),
  metadata: fc.constantFrom({}, { 'db.system': 'Redis' }, { 'server.address': 'shop' }),
  failed: fc.boolean(),
  calls: fc.integer({ min: 1, max: 4 }),
});
const flows = fc.array(fc.array(step, { maxLength: 4 }), { minLength: 100, maxLength: 100 });
const filters: fc.Arbitrary<StepFilters> = fc.record(
  {
    stepName: fc.constantFrom('load', 'GET shop/items/:id', 'SELECT x', "it's"),
    stepType: fc.constantFrom('http', 'database', 'cache'),
    dependency: fc.constantFrom('shop', 'redis', 'database'),
    stepStatus: fc.constantFrom('error', 'success'),
    minCalls: fc.integer({ min: 1, max: 6 }),
  },
  { requiredKeys: [] },
);

/**
 * Stores one request for each list of steps: as spans if `spans` is true, and with the step kinds in the request's row if `saysKinds` is
 * true.
 */
async function stored(all: readonly (readonly Step[])[], given: { spans: boolean; saysKinds: boolean }) {
  const project = createId<ProjectId>();
  const now = (Date.now() / 1000).toFixed(6);
  const ids: readonly string[] = all.map(() => createId());
  const hex = (id: string) => id.replaceAll('-', '');
  const insert = (table: string, columns: readonly string[], rows: readonly string[]) =>
    stores.traces.insert(table, columns, Buffer.from(rows.join('')));
  const steps = all.flatMap((flow, at) =>
    flow.map((each, ordinal) => ({ ...each, ordinal, id: ids[at] ?? '' })),
  );
  if (given.spans) {
    const columns = ['project_id', 'trace_id', 'span_id', 'has_error', 'name', 'type', 'metadata', 'service'];
    const rows = steps.flatMap(({ id, ordinal, failed, name, type, metadata, calls }) =>
      Array.from(
        { length: calls },
        (_call, call) =>
          `${project}\t${hex(id)}\t${ordinal}${call}\t${failed}\t${name}\t${type}\t${JSON.stringify(metadata)}\tshop\n`,
      ),
    );
    await insert('spans', columns, rows);
  } else {
    const columns = [
      'project_id',
      'trace_time_ms',
      'trace',
      'ordinal',
      'error',
      'name',
      'type',
      'metadata',
      'repeat',
    ];
    const rows = steps.map(
      ({ id, ordinal, failed, name, type, metadata, calls }) =>
        `${project}\t${timeOfTraceId(id)}\t${id}\t${ordinal}\t${failed ? '{}' : ''}\t${name}\t${type}\t${JSON.stringify(metadata)}\t{"count":${calls}}\n`,
    );
    await insert('steps', columns, rows);
  }
  const traces = all.map((flow, at) => {
    const id = ids[at] ?? '';
    const kinds = new StepKinds();
    for (const each of flow) kinds.add(classifyStep(each), each.calls);
    const said = given.saysKinds ? formatJsonField(kinds.text) : '';
    return `${project}\t${now}\t${id}\t${timeOfTraceId(id)}\t${hex(id)}\t${given.spans}\tshop\t${said}\n`;
  });
  const columns = [
    'project_id',
    'start_time',
    'id',
    'id_time_ms',
    'trace_id',
    'has_spans',
    'service',
    'step_kinds',
  ];
  await insert('traces', columns, traces);
  return async (asked: StepFilters, without: readonly string[] = []) => {
    const among = selectProjects([{ id: project, shownSince: 0n }]);
    const { sql, params } = [
      await withStep(stores.traces, asked, [project], among),
      await withoutSteps(stores.traces, without, [project], among),
    ].reduce(combineConditions, among);
    const found = await stores.traces.lines(
      `SELECT toString(id) FROM traces WHERE ${sql.join(' AND ')}`,
      params,
    );
    return found.map((id) => ids.indexOf(id)).sort((a, b) => a - b);
  };
}

test.each(pickRows([false, true], { usually: 1 }))(
  'filters find the same requests by stored step kinds as by searching all steps (OpenTelemetry spans: %s)',
  async (spans) => {
    const [all = []] = fc.sample(flows, 1);
    const quick = await stored(all, { spans, saysKinds: true });
    const slow = await stored(all, { spans, saysKinds: false });
    for (const asked of fc.sample(filters, 15)) {
      const found = { asked, quick: await quick(asked), slow: await slow(asked) };
      expect(found).toEqual({ ...found, quick: found.slow });
    }
  },
);

test.each([
  [true, false],
  [false, false],
  [false, true],
])(
  'excluded step names leave out exactly the requests that a filter by one of the names finds (stored kinds: %s, spans: %s)',
  async (saysKinds, spans) => {
    const [all = []] = fc.sample(flows, 1);
    const find = await stored(all, { spans, saysKinds });
    const names = ['load', 'GET shop/items/:id', "it's"];
    const having = new Set((await Promise.all(names.map((stepName) => find({ stepName })))).flat());
    const everyRequest = [...all.keys()];
    expect(await find({}, names)).toEqual(everyRequest.filter((at) => !having.has(at)));
    const queries = new Set(await find({ stepName: 'SELECT x', stepType: 'database' }));
    expect(await find({ stepName: 'SELECT x', stepType: 'database' }, ['load'])).toEqual(
      (await find({}, ['load'])).filter((at) => queries.has(at)),
    );
  },
);
