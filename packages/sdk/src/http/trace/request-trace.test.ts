import { expect, test, vi } from 'vitest';
import { defaultLimits } from '../../record/capture/limits.ts';
import { Recording } from '../../record/recording.ts';
import { buildFinishedTrace } from './finished-trace.ts';
import { RequestTrace } from './request-trace.ts';

const wall = vi.hoisted(() => ({ aheadMs: 0 }));

vi.mock(import('../../internal/timers.ts'), async (importActual) => ({
  ...(await importActual()),
  wallMs: () => Date.now() + wall.aheadMs,
}));

test('a step begins after its request, even if the system clock is corrected while the request begins', () => {
  const recording = new Recording({ capture: 'structure', limits: defaultLimits });
  wall.aheadMs = 3_600_000;
  const trace = new RequestTrace(
    { method: 'GET', url: '/', headers: {}, socket: {} },
    {
      statusCode: 200,
      headersSent: true,
      writableEnded: true,
      writableFinished: true,
      getHeaders: () => ({}),
    },
    recording,
    0,
  );
  recording.open({ name: 'step', type: 'custom' });
  const end = { nowMs: performance.now(), withValues: true, withHeaders: true, withMessages: true };
  const { timing, flow } = buildFinishedTrace(trace, end);
  // `Date.parse` drops the microseconds.
  const startMicros = Date.parse(timing.startTime) * 1000;
  expect(flow[0]?.startMicros).toBeGreaterThanOrEqual(startMicros);
  expect(flow[0]?.endMicros).toBeLessThan(startMicros + 1e6);
});
