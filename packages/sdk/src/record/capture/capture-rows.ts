import { readOwnValue } from '../../internal/foreign.ts';
import type { ActiveStep } from '../active-step.ts';
import type { Recording } from '../recording.ts';
import { isArray, isProxy } from '../writer/primordials.ts';

/** Maximum size of the rows of one query, in bytes of JSON. Further rows are cut, so that they leave room for the values of functions. */
const MAX_BYTES = 8 * 1024;
/** Rows are not captured if fewer bytes are left for the request. */
const MIN_BYTES = 512;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const rowsPath = ['outputs', 'rows'];

/**
 * Captures the rows that a query returned as the outputs of its step, which has ended. Values that functions return later then refer to
 * these rows. Returns false if no rows are captured: without a function of the author above the step whose values are captured, or if the
 * rows are not objects, whose names the redaction could check.
 */
export function captureRows(recording: Recording, step: ActiveStep, rows: unknown): boolean {
  if (!recording.all || recording.rules.hidesAll || step.recording !== recording) return false;
  if (!hasNamedColumns(rows)) return false;
  const caller = findCaller(step);
  if (caller === null || !caller.all) return false;
  const { snapshotter, meter } = recording;
  const { budget } = snapshotter;
  if (!snapshotter.beginStep(Math.max(0, snapshotter.limits.stepBytes - MAX_BYTES), step.sequence))
    return false;
  try {
    if (!budget.hasRoom(MIN_BYTES)) return false;
    const started = meter === null ? -1 : meter.beginExit();
    const start = budget.writer.end;
    budget.writer.byte(OPEN);
    snapshotter.writeNamed('rows', rows, rowsPath);
    budget.writer.close(CLOSE);
    step.outputs = snapshotter.textFrom(start);
    snapshotter.endStep();
    if (meter !== null && started >= 0) meter.endExit(caller, started);
    return true;
  } finally {
    snapshotter.busy = false;
  }
}

/** Only rows that are objects have names. A list of cells, or the single value of a column, has none. */
function hasNamedColumns(rows: unknown): boolean {
  if (!isArray(rows) || isProxy(rows)) return false;
  const first = readOwnValue(rows, '0');
  return typeof first === 'object' && first !== null && !isArray(first);
}

/** Finds the innermost instrumented function above a step. Null if a library ran the query on its own, such as a store of sessions. */
function findCaller({ parent }: ActiveStep): ActiveStep | null {
  for (let step = parent; step !== null; step = step.parent)
    if (step.site !== null && 'kind' in step.site) return step;
  return null;
}
