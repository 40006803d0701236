import { describe, expect, test } from 'vitest';
import { asTaken, outline, record, stepNamed, traced } from '../../test/traced.ts';
import { getCurrentRecording } from './async/current-recording.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { isInstrumented } from './frame.ts';
import { Recording } from './recording.ts';

const newRecording = (limits = defaultLimits): Recording => new Recording({ capture: 'all', limits });

describe('a recording', () => {
  test('nests steps that the SDK opens itself and steps of instrumented functions', () => {
    const { work } = traced(
      'exports.work = function work() { return inner() } \nfunction inner() { return 1 }',
    );
    const recording = newRecording();
    runRecording(recording, () => {
      const step = recording.open({ name: 'by hand', type: 'custom', metadata: { a: 1 } });
      recording.within(step, () => work?.());
      const below = recording.open({ name: 'a root', type: 'log', parent: null });
      if (step !== null) recording.close(step, { outputs: 3, metadata: { b: 2 } });
      if (below !== null) recording.close(below);
      work?.();
    });
    const flow = recording.finish().flow.map(asTaken);
    expect(outline(flow)).toBe('by hand\n  work\n    inner\na root\nwork\n  inner');
    expect(stepNamed(flow, 'by hand')).toMatchObject({
      outputs: 3,
      metadata: { a: 1, b: 2 },
      stepType: 'custom',
    });
  });

  test('a handler step that is opened for a framework has the values of the handler function, even across awaits', async () => {
    const { handler, plain } = traced(
      'async function load(n) { await null; return n } exports.handler = async function handler(id) { const a = await load(id); await load(a); return a } \nexports.plain = (() => { function note() {} return () => note })()',
    );
    const recording = newRecording();
    await runRecording(recording, async () => {
      const step = recording.open({ name: 'GET /x', type: 'handler', adopts: true });
      await recording.within(step, () => handler?.(7));
      if (step !== null) recording.close(step);
    });
    const flow = recording.finish().flow.map(asTaken);
    expect(outline(flow)).toBe('GET /x\n  load\n  load');
    expect(flow[0]).toMatchObject({
      stepType: 'handler',
      functionName: 'handler',
      inputs: { id: 7 },
      variables: { localVariables: { a: 7 } },
      outputs: 7,
    });
    expect(isInstrumented(handler ?? (() => 0))).toBe(true);
    expect(isInstrumented(plain ?? (() => 0))).toBe(true);
    expect(isInstrumented(Math.max)).toBe(false);
  });

  test('steps that are open at the end of the request are closed and marked, and later work changes nothing', async () => {
    const { main } = traced(
      'exports.main = async function main(gate) { const a = 1; await gate; inner(); return a } \nfunction inner() {}',
    );
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const recording = newRecording();
    const running = runRecording(recording, () => main?.(gate));
    const flow = recording.finish().flow.map(asTaken);
    expect(flow).toHaveLength(1);
    expect(flow[0]).toMatchObject({ stepName: 'main', metadata: { unfinished: true } });
    expect(flow[0]?.variables).toBeUndefined();
    open?.();
    expect(await running).toBe(1);
    expect(recording.finish().flow).toEqual([]);
  });

  test('steps over the limit are counted, not recorded', async () => {
    const { main } = traced('exports.main = function main(n) { return n > 0 ? main(n - 1) : 0 }');
    const { flow, dropped } = await record(() => main?.(9), 'all', { ...defaultLimits, steps: 4 });
    expect(flow.map(({ parentStepId }) => parentStepId)).toEqual([null, '1', '2', '3']);
    expect(dropped.steps).toBe(6);
  });

  test('steps are in start order, end before the function that called them, and exclude the pauses of a generator', async () => {
    const { main } = traced(
      'function* g() { yield 1; yield 2 } function wait(ms) { const end = performance.now() + ms; while (performance.now() < end); } exports.main = function main() { for (const x of g()) wait(4) }',
    );
    const before = Date.now() * 1000;
    const { flow } = await record(main);
    const after = (Date.now() + 1) * 1000;
    const parent = stepNamed(flow, 'main');
    let last = 0;
    for (const step of flow) {
      expect(step.startMicros).toBeGreaterThanOrEqual(last);
      expect(step.startMicros + step.durationMs * 1000).toBeLessThanOrEqual(
        parent.startMicros + parent.durationMs * 1000 + 1,
      );
      last = step.startMicros;
    }
    // The wall clock and the SDK's clock can differ by the tolerance of 2 ms.
    expect(parent.startMicros).toBeGreaterThan(before - 3000);
    expect(parent.startMicros).toBeLessThan(after + 3000);
    const waited = flow.filter(({ stepName }) => stepName === 'wait');
    expect(waited).toHaveLength(2);
    // Both waits happened while the generator was paused. So the durations of the waits and of the generator do not overlap, and their sum
    // fits into the parent's duration.
    const whole = waited.reduce((sum, step) => sum + step.durationMs, stepNamed(flow, 'g').durationMs);
    expect(whole).toBeLessThanOrEqual(parent.durationMs + 0.01);
  });

  test('is the current recording only inside its function, and only until it ends', () => {
    const recording = newRecording();
    expect(getCurrentRecording()).toBeUndefined();
    runRecording(recording, () => {
      expect(getCurrentRecording()).toBe(recording);
      recording.finish();
      expect(getCurrentRecording()).toBeUndefined();
    });
  });

  test('releases the values of its steps, even if a closure outlives the request', async () => {
    const { main } = traced('exports.main = function main() { return function later() { return 1 } }');
    const recording = newRecording();
    const later: unknown = runRecording(recording, () => main?.());
    const [step] = recording.steps;
    recording.finish();
    expect(step).toMatchObject({
      recording: null,
      inputs: undefined,
      outputs: undefined,
      variables: undefined,
    });
    expect(typeof later === 'function' ? later() : 0).toBe(1);
  });

  test('is not part of the snapshot of an object that refers to the recording', async () => {
    const { main } = traced(
      'exports.main = function main() { const timer = setTimeout(() => {}, 1); return timer }',
      {
        setTimeout,
      },
    );
    const { flow } = await record(main);
    expect(JSON.stringify(flow)).not.toContain('snapshotter');
  });
});
