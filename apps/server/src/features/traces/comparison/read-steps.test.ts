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
