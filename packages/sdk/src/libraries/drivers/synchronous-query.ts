import { runGuarded } from '../../internal/report.ts';
import { isInSpan } from '../../otel/context.ts';
import { describeSql } from '../../otel/spans/sql.ts';
import type { ActiveStep } from '../../record/active-step.ts';
import { propagation } from '../../record/async/async-parent.ts';
import { getCurrentRecording } from '../../record/async/current-recording.ts';
import type { QueryCapture } from '../../record/capture/query-values.ts';
import type { Recording } from '../../record/recording.ts';
import { type RunningQuery, type Statement, startQuery } from './query.ts';

/** Describes the statement. The description needs values only if `withValues` is true. */
type Describe = (withValues: boolean) => Statement;
type CountRows<T> = (result: T) => number | undefined;
/** Returns the rows of a result; undefined if the result has none that can be read without running a query. */
type ListRows<T> = (result: T) => unknown;

interface OpenedStep {
  readonly step: ActiveStep;
  /** Undefined if no values are captured. */
  readonly query: QueryCapture | undefined;
}

/**
 * Runs a driver's synchronous call as the step of its statement. The call's result or error reaches the caller unchanged. Outside of spans,
 * the step has neither a span nor an async context: each would take longer than most statements of SQLite.
 */
export function runQuery<T>(
  describe: Describe,
  call: () => T,
  countRows: CountRows<T>,
  listRows: ListRows<T>,
): T {
  const recording = getCurrentRecording();
  if (recording === undefined) return call();
  if (isInSpan()) return runInSpan(describe, call, countRows, listRows);
  const opened = runGuarded('Starting a query', () => openStep(recording, describe(recording.all)));
  if (!opened) return call();
  const { step, query } = opened;
  let result: T;
  step.back = recording.current;
  recording.current = step;
  try {
    result = call();
  } catch (error) {
    recording.current = step.back;
    runGuarded('Ending a query', () => recording.close(step, { error }));
    throw error;
  }
  recording.current = step.back;
  runGuarded('Ending a query', () => recording.close(step));
  if (query !== undefined)
    runGuarded('Recording rows', () => showRows(recording, opened, countRows(result), listRows(result)));
  return result;
}

function openStep(
  recording: Recording,
  { driver, system, text, values, database }: Statement,
): OpenedStep | null {
  const { here } = recording;
  // The statement's parent can be unknown because calls that are counted in a call aggregate did not change the async context. From now on,
  // such calls change the context, so that the parents of later statements are known.
  if (here === null) propagation.on = true;
  const sql =
    text === undefined
      ? undefined
      : describeSql(text, system === 'mysql' ? 'mysql' : 'standard', recording.shorten);
  const step = recording.open({
    name: sql?.name ?? `${system} query`,
    type: 'database',
    parent: here,
    ...(recording.all && { metadata: findMetadata(driver, system, database) }),
  });
  if (step === null) return null;
  if (!recording.all) return { step, query: undefined };
  const query = recording.queries.begin(step, text, values);
  const { bound, types } = query;
  if (sql !== undefined) {
    const inputs = { statement: sql.masked, ...(bound !== undefined && { values: bound }) };
    step.inputs = recording.queries.joinFields('inputs', inputs, types);
  }
  return { step, query };
}

function showRows(
  recording: Recording,
  { step, query }: OpenedStep,
  count: number | undefined,
  rows: unknown,
): void {
  if (count === undefined || query === undefined || step.recording !== recording) return;
  const firstRows = recording.queries.captureFirstRows(step, query, rows);
  const outputs = { rows: count, ...(firstRows !== undefined && { firstRows }) };
  step.outputs = recording.queries.joinFields('outputs', outputs);
}

type Metadata = Readonly<Record<string, string>>;

/** Maximum number of cached databases. A service with a database file per customer can exceed this number. The cache is then cleared. */
const maxCached = 1000;
const cached = new Map<string, Metadata>();

/** Returns the same frozen object for equal databases, so that the object's JSON is written once. */
function findMetadata(driver: string, system: string, database: string | undefined): Metadata {
  const key = database === undefined ? driver : `${driver} ${database}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const made = Object.freeze({
    'db.system.name': system,
    ...(database !== undefined && { 'db.namespace': database }),
    tracer: driver,
  });
  if (cached.size >= maxCached) cached.clear();
  cached.set(key, made);
  return made;
}

/**
 * Runs the statement as a span of its own. Used while another span is active, because the statement can be a part of that span's work, such
 * as an operation of a query builder.
 */
function runInSpan<T>(describe: Describe, call: () => T, countRows: CountRows<T>, listRows: ListRows<T>): T {
  const query: RunningQuery | undefined = startQuery(() => describe(true));
  if (query === undefined) return call();
  let result: T;
  try {
    result = query.within(call);
  } catch (error) {
    query.fail(error);
    throw error;
  }
  query.end(
    runGuarded('Counting rows', () => countRows(result)),
    runGuarded('Listing rows', () => listRows(result)),
  );
  return result;
}
