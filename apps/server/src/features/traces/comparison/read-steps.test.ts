import { expect, test } from 'vitest';
import { readSteps } from './comparison.ts';

const texts = Array.from({ length: 20_000 }, (_step, index) =>
  JSON.stringify({ stepId: `s${index}`, stepName: `call ${index}`, inputs: [{ id: index }], error: null }),
);

test('the event loop does other work while the steps of a large trace are read', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const steps = await readSteps(texts);
  clearImmediate(immediate);
  expect(steps).toHaveLength(texts.length);
  expect(turns).toBeGreaterThan(0);
});

test('the bound values and rows of a query are hidden, since the functions around the query have the same values', async () => {
  const query = {
    stepId: '1',
    stepType: 'database',
    inputs: { statement: 'SELECT name FROM boats WHERE id = $1', values: [7] },
    outputs: { rows: 1, firstRows: [{ name: 'Kittiwake' }] },
  };
  const other = { stepId: '2', stepType: 'database', inputs: { query: '{}' }, outputs: { found: 3 } };
  const hidden = {
    ...query,
    inputs: { ...query.inputs, values: [{ $type: 'redacted', of: 'number' }] },
    outputs: { rows: 1 },
  };
  expect(await readSteps([query, other].map((step) => JSON.stringify(step)))).toEqual([hidden, other]);
});
