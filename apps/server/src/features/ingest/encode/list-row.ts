import { formatInstant, type TraceRow } from '@throughline/contract';
import type { ProjectId } from '../../../platform/ids.ts';
import {
  readField,
  readFirstFields,
  readMicros,
  TRACE_COLUMNS,
  type TraceColumn,
} from '../../../platform/trace-store/index.ts';
import type { EncodedTrace } from './encode-trace.ts';

/** A trace that was just stored, sent to users who watch its project. */
export interface NewListRow {
  readonly projectId: ProjectId;
  /** Returns the trace's list row. */
  readonly read: () => TraceRow;
}

/** The last column that a list row needs, in the order of `TRACE_COLUMNS`. */
const LAST_COLUMN: TraceColumn = 'country';

/**
 * Reads a trace's list row from the trace's stored row, when a live feed needs the list row. Building the list rows of all traces in
 * advance and passing them between threads took 200 MB for a batch of 55 MB.
 */
export function readListRow({ traceRow, stepCount }: EncodedTrace): TraceRow {
  const fields = readFirstFields(traceRow, TRACE_COLUMNS.indexOf(LAST_COLUMN) + 1);
  const text = (column: TraceColumn) => readField(fields[TRACE_COLUMNS.indexOf(column)] ?? '');
  return {
    _id: text('id'),
    traceId: text('trace_id'),
    projectId: text('project_id'),
    request: { method: text('method'), path: text('path'), route: text('route') || null },
    response: { statusCode: Number(text('status_code')) || null },
    timing: {
      startTime: formatInstant(readMicros(text('start_time'))),
      duration: Number(text('duration_micros')) / 1000,
    },
    error: {
      hasError: text('has_error') === '1',
      errorMessage: text('error_message') || null,
      errorCode: text('error_code') || null,
    },
    service: text('service'),
    environment: text('environment'),
    release: text('release'),
    userId: text('user_id') || null,
    sessionId: text('session_id') || null,
    country: text('country') || null,
    instance: text('instance'),
    stepCount,
  };
}
