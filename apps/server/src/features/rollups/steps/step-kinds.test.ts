import { storesOfFile } from '@throughline/testkit/stores';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import { formatJsonField, formatTextField } from '../../../platform/trace-store/index.ts';
import { SPAN_QUERY, STEP_DEPENDENCY, STEP_NAME } from '../names-store.ts';
import { classifyStep, formatKinds, type StoredStep } from './step-kinds.ts';

const stores = storesOfFile();

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const segment = fc.oneof(
  text,
  fc.uuid(),
  fc.nat().map(String),
  fc.stringMatching(/^[0-9a-fA-F]{6,22}$/),
  fc.stringMatching(/^[a-zé]{15,22}[0-9]?$/),
);
const name = fc.oneof(
  text,
  fc.array(segment, { maxLength: 4 }).map((segments) => `GET ${segments.join('/')}`),
  fc.array(segment, { maxLength: 3 }).map((segments) => `${segments.join('/')}?a=1#b`),
);
const memberValue = fc.oneof(
  text,
  fc.constantFrom('PostgreSQL', 'REDIS', 'ÄÖ', ''),
  fc.nat(),
  fc.constantFrom(true, null, [1], { $type: 'redacted' }),
);
const metadata = fc.oneof(
  fc.constantFrom(undefined, null, 'postgresql', ['db.system']),
  fc.dictionary(
    fc.constantFrom('server.address', 'db.system.name', 'db.system', 'messaging.system', 'other'),
    memberValue,
    { maxKeys: 3 },
  ),
);
const query = fc.oneof(text, fc.constantFrom("SELECT 'a', 17", "SELECT 'b''', 1", "'", '17'));
const step: fc.Arbitrary<StoredStep> = fc.record({
  type: fc.constantFrom('http', 'database', 'cache', 'queue', 'function', 'custom'),
  name,
  metadata,
  failed: fc.boolean(),
  captured: fc.oneof(fc.constant({}), fc.record({ inputs: fc.record({ query }) })),
});

test('the step kinds that are computed when a trace is stored equal the step kinds that SQL computes from the stored steps', async () => {
  const project = createId<ProjectId>();
  const steps = fc.sample(step, 1500);
  const rows = steps.map(({ type, name: sent, metadata: stored, captured }, ordinal) => {
    const fields = [stored, captured].map((value) =>
      value === undefined ? '' : formatJsonField(JSON.stringify(value)),
    );
    return `${project}\t${ordinal}\t${project}\t${ordinal}\t${formatTextField(sent)}\t${type}\t${fields.join('\t')}\n`;
  });
  const columns = ['project_id', 'trace_time_ms', 'trace', 'ordinal', 'name', 'type', 'metadata', 'captured'];
  await stores.traces.insert('steps', columns, Buffer.from(rows.join('')));
  const named = await stores.traces.rows(
    z.object({ kind_name: z.string(), dependency: z.string(), asks: z.string() }),
    `SELECT ${STEP_NAME} AS kind_name, ${STEP_DEPENDENCY} AS dependency, ${SPAN_QUERY} AS asks FROM steps
     WHERE project_id = {project:UUID} ORDER BY ordinal`,
    { project },
  );
  const ours = steps.map((each) =>
    z
      .tuple([z.number(), z.string(), z.string(), z.string(), z.string()])
      .parse(JSON.parse(`[${classifyStep(each)}`)),
  );
  expect(ours.map(([, , kindName, dependency]) => [kindName, dependency])).toEqual(
    named.map(({ kind_name: kindName, dependency }) => [kindName, dependency]),
  );
  // The code and SQL compute different hash values, but equal hashes must be at the same positions in both.
  const groups = (hashes: readonly string[]) => {
    const places = new Map<string, number>([['', -1]]);
    return hashes.map((hash) => {
      const place = places.get(hash) ?? places.size;
      places.set(hash, place);
      return place;
    });
  };
  expect(groups(ours.map(([, , , , hash]) => hash))).toEqual(groups(named.map(({ asks }) => asks)));
});

test('requests with the same number of steps of each kind have the same list of kinds, whatever the order of the steps', () => {
  const load = classifyStep({ type: 'function', name: 'load', metadata: undefined, failed: false });
  const item = (id: number) =>
    classifyStep({ type: 'http', name: `GET shop/items/${id}`, metadata: {}, failed: true });
  const said = '[[1,0,"function","load","",""],[2,1,"http","GET shop/items/:id","shop",""]]';
  expect(formatKinds([load, item(1), item(2)])).toBe(said);
  expect(formatKinds([item(3), load, item(4)])).toBe(said);
  expect(formatKinds([])).toBe('[]');
});

test('a request with very many kinds of steps has an empty list of kinds', () => {
  const many = Array.from({ length: 2000 }, (_kind, place) =>
    classifyStep({ type: 'custom', name: `step ${place}`, metadata: undefined, failed: false }),
  );
  expect(formatKinds(many)).toBe('');
});
