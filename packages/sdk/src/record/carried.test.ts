import { afterAll, beforeAll, expect, test } from 'vitest';
import { outline, record, traced } from '../../test/traced.ts';
import { carrying } from './carried.ts';
import { currentRecording } from './recording.ts';

beforeAll(() => {
  carrying.on = true;
});
afterAll(() => {
  carrying.on = false;
});

/** Work of a library's: between its own awaits nothing of the host's is on the stack. */
async function libraryWork(name: string): Promise<string> {
  await Promise.resolve();
  await new Promise((wait) => setTimeout(wait, Math.random() * 5));
  const recording = currentRecording();
  const step = recording?.open({ name, type: 'custom', parent: recording.here });
  await new Promise((wait) => setTimeout(wait, Math.random() * 5));
  if (recording && step) recording.close(step);
  return name;
}

const { run } = traced(
  `
  async function one(name) { const first = await libraryWork(name); return libraryWork(first + ' again'); }
  function sync(name) { return libraryWork(name); }
  async function caught() { try { await Promise.reject(new Error('no')); } catch { await libraryWork('after the error'); } }
  async function* many() { yield await libraryWork('first'); yield await libraryWork('second'); }
  exports.run = async function run() {
    const begun = libraryWork('not awaited');
    await Promise.all([one('a'), one('b'), sync('c'), caught(), one('d')]);
    for await (const each of many()) await libraryWork('for ' + each);
    await begun;
    return libraryWork('at the end');
  };`,
  { libraryWork },
);

test('what a library does later stands below the function that asked for it', async () => {
  const { flow, result } = await record(run);
  expect(result).toBe('at the end');
  const parents = new Map(flow.map((step) => [step.stepId, step]));
  const pairs = flow
    .filter(({ stepType }) => stepType === 'custom')
    .map(({ stepName, parentStepId }) => `${parents.get(parentStepId ?? '')?.stepName} > ${stepName}`)
    .sort();
  expect(pairs).toEqual([
    'caught > after the error',
    'many > first',
    'many > second',
    'one > a',
    'one > a again',
    'one > b',
    'one > b again',
    'one > d',
    'one > d again',
    'run > at the end',
    'run > for first',
    'run > for second',
    'run > not awaited',
    'sync > c',
  ]);
  expect(outline(flow)).toContain('  sync\n    c');
});
