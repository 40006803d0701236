import { AppError } from '../../../platform/http/errors.ts';
import type { Scope } from '../../../platform/http/guard.ts';
import { getTraceScope } from '../../../platform/http/serve.ts';
import { readId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { type FindTrace, findTraceHead } from './single-trace-store.ts';

/** Reads the trace that a request names. @throws AppError `not_found`, or `forbidden` if the caller's role is read-only */
export type TraceIn = <Found>(
  find: FindTrace<Found>,
  scope: Scope,
  id: string,
  from?: TraceStore,
) => Promise<Found>;

export function createTraceIn(store: TraceStore): TraceIn {
  return async (find, scope, id, from = store) => {
    const { projects, readOnly } = getTraceScope(scope);
    const known = readId(id);
    if (known === undefined) throw new AppError('not_found');
    const trace = await find(from, projects, known);
    if (trace !== undefined) return trace;
    const seen = await findTraceHead(store, readOnly, known);
    throw new AppError(seen === undefined ? 'not_found' : 'forbidden');
  };
}
