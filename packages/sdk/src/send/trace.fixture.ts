import type { CapturedValue } from '@throughline/contract/values';
import type { FinishedTrace } from './encode/wire.ts';

/** Creates a small trace with one step, which has these `inputs`. */
export function makeTrace(id: string, inputs: CapturedValue = { n: 1 }): FinishedTrace {
  const startMicros = Date.UTC(2026, 10, 21, 10) * 1000;
  return {
    _id: id,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    request: { method: 'GET', path: '/orders/17', headers: { host: 'x' } },
    response: { statusCode: 200 },
    timing: { startTime: '2026-11-21T10:00:00.000000Z', duration: 1.5 },
    performance: { memoryUsage: { heapUsed: 1 }, cpuUsage: 0, eventLoopDelay: 0 },
    error: { hasError: false, errorMessage: null, errorCode: null },
    flow: [
      {
        stepId: '1',
        parentStepId: null,
        sequence: 0,
        stepName: 'work',
        stepType: 'function',
        startMicros,
        endMicros: startMicros + 1000,
        durationMs: 1,
        inputs,
      },
    ],
    secrets: new Set(),
    writer: null,
    dropped: { steps: 0, values: 0, bytes: 0 },
  };
}

/** Creates a trace that is not smaller without its values. */
export function makeLargeTrace(id: string): FinishedTrace {
  return { ...makeTrace(id), attributes: { note: 'x'.repeat(50_000) } };
}
