import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Redactor } from '../redact/redact.ts';
import { makeTrace } from './trace.fixture.ts';
import { TraceWriter } from './trace-writer.ts';
import type { WireTrace } from './wire.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function traceOf(id: string, steps: number): WireTrace {
  const trace = makeTrace(id);
  const [step] = trace.flow;
  return {
    ...trace,
    flow: Array.from({ length: steps }, (_, at) => ({
      ...step,
      stepId: `${at + 1}`,
      parentStepId: null,
      sequence: at,
      stepName: 'work',
      stepType: 'function' as const,
      startTime: trace.timing.startTime,
      endTime: trace.timing.startTime,
      duration: 1,
      inputs: { at },
    })),
  };
}

function collect(): { readonly writer: TraceWriter; readonly written: WireTrace[] } {
  const written: WireTrace[] = [];
  const writer = new TraceWriter(new Redactor(), (json) => written.push(JSON.parse(json ?? 'null')));
  return { writer, written };
}

/** Each look at the clock finds that a slice is over. */
function hurry(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000;
    return now;
  });
}

afterEach(() => vi.restoreAllMocks());

describe('writing traces', () => {
  it('leaves the event loop its turns within one trace', async () => {
    hurry();
    const { writer, written } = collect();
    const trace = traceOf('long', 10);
    writer.add(trace);
    for (let turns = 0; turns < 9; turns++) await turn();
    expect({ written: written.length, isIdle: writer.isIdle }).toEqual({ written: 0, isIdle: false });
    for (let turns = 0; turns < 5; turns++) await turn();
    expect({ written, isIdle: writer.isIdle }).toEqual({ written: [trace], isIdle: true });
  });

  it('holds a bounded number, the oldest written first', () => {
    const { writer, written } = collect();
    for (let at = 0; at < 100; at++) writer.add(traceOf(`${at}`, 3));
    expect(written.map((trace) => trace._id)).toEqual(Array.from({ length: 68 }, (_, at) => `${at}`));
    writer.writeAll();
    expect(written).toHaveLength(100);
  });

  it('writes each trace once, whole and in order, wherever it is left and finished', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 0, max: 12 }), async (steps, turns) => {
        hurry();
        const { writer, written } = collect();
        const traces = steps.map((count, at) => traceOf(`${at}`, count));
        for (const trace of traces) writer.add(trace);
        for (let count = 0; count < turns; count++) await turn();
        writer.writeAll();
        expect(written).toEqual(traces);
      }),
      { numRuns: 50 },
    );
  });
});
