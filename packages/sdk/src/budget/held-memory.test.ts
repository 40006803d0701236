import { expect, test } from 'vitest';
import { traced } from '../../test/traced.ts';
import { runRecording } from '../record/async/work-context.ts';
import { defaultLimits } from '../record/capture/limits.ts';
import { Recording } from '../record/recording.ts';
import { HeldMemory } from './held-memory.ts';

const { keep } = traced('exports.keep = function keep(text) { return text.length }');

/** Creates a request in progress with `calls` captured values. */
function underWay(calls: number): Recording {
  const limits = { ...defaultLimits, stringLength: 60_000, calls: 1000 };
  const recording = new Recording({ capture: 'all', limits });
  runRecording(recording, () => {
    for (let call = 0; call < calls; call++) keep?.('x'.repeat(30_000));
  });
  return recording;
}

test('while many large requests are in progress, new requests are recorded without values; while even more are in progress, new requests are not recorded', () => {
  const memory = new HeldMemory();
  const recordings: Recording[] = [];
  const seen: string[] = [];
  let nowMs = 0;
  const room = () => {
    nowMs += 100;
    return memory.room(new Set(recordings.map((recording) => ({ recording }))), nowMs);
  };
  while (recordings.length < 400 && seen.at(-1) !== 'none') {
    // Each recording is used for eight requests, because recording the values takes long.
    recordings.push((recordings.length % 8 === 0 ? undefined : recordings.at(-1)) ?? underWay(30));
    const now = room();
    if (now !== seen.at(-1)) seen.push(now);
  }
  expect(seen).toEqual(['values', 'structure', 'none']);
  const held = recordings.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  expect(held).toBeGreaterThan(120e6);
  expect(held).toBeLessThan(160e6);
  for (const recording of new Set(recordings.splice(0))) recording.finish();
  expect(room()).toBe('values');
});

test('steps count as held memory, and a finished request holds no memory', () => {
  const recording = new Recording({ capture: 'structure', limits: { ...defaultLimits, calls: 1000 } });
  const before = recording.heldBytes;
  runRecording(recording, () => {
    for (let call = 0; call < 500; call++) keep?.('');
  });
  expect(recording.heldBytes - before).toBeGreaterThan(500 * 100);
  recording.finish();
  expect(recording.heldBytes).toBe(0);
});
