import { toAppError } from '../../../platform/http/errors.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { type BatchAnswer, countRejections } from '../batch/batch-answer.ts';

/**
 * Registers the ingest metrics. `oldestSince` returns the arrival time of the batch that has waited longest, on the process's monotonic
 * clock; undefined if no batch waits.
 */
export function countIngest(
  metrics: Metrics,
  bytesInFlight: () => number,
  oldestSince: () => number | undefined,
) {
  const accepted = metrics.counter(
    'throughline_traces_accepted_total',
    'Traces stored, duplicates included.',
  );
  const spans = metrics.counter(
    'throughline_spans_accepted_total',
    'OpenTelemetry spans stored as requests or steps, duplicates included.',
  );
  const rejected = metrics.counter(
    'throughline_traces_rejected_total',
    'Traces and spans rejected from accepted batches.',
    'reason',
  );
  const refused = metrics.counter(
    'throughline_batches_refused_total',
    'Batches rejected as a whole.',
    'reason',
  );
  const batches = metrics.counter('throughline_commit_batches_total', 'Batches written by group commits.');
  const bytes = metrics.counter(
    'throughline_commit_bytes_total',
    'Bytes of the rows written by group commits.',
  );
  const commits = metrics.durations(
    'throughline_commit_seconds',
    'Time to write the batches of one group commit.',
  );
  metrics.gauge('throughline_ingest_bytes_in_flight', 'Bytes of batches in memory.', bytesInFlight);
  metrics.gauge('throughline_ingest_lag_seconds', 'Time that the oldest unanswered batch has waited.', () => {
    const sinceMs = oldestSince();
    return sinceMs === undefined ? 0 : (performance.now() - sinceMs) / 1000;
  });
  return {
    answered(answer: BatchAnswer): void {
      accepted.add(answer.accepted);
      for (const [code, count] of countRejections(answer)) rejected.add(count, code);
    },
    spansStored: (count: number): void => spans.add(count),
    refused(error: unknown): void {
      refused.add(1, toAppError(error).code);
    },
    async timed<T>(
      group: { readonly batches: number; readonly bytes: number },
      write: () => Promise<T>,
    ): Promise<T> {
      const startMs = performance.now();
      try {
        return await write();
      } finally {
        batches.add(group.batches);
        bytes.add(group.bytes);
        commits.observe(performance.now() - startMs);
      }
    },
  };
}
