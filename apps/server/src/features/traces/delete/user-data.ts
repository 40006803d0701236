import type { ProjectId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { toHourFromMs } from '../../rollups/index.ts';
import { findOwners, listSpans, type SpanKey, type SpanRequest } from '../../spans/index.ts';
import { findSpanRequest } from '../detail/steps.ts';
import { findSpansNaming, findTracesFromSpans, findUserTraces } from './removal-store.ts';

/** Data stored about a user of the traced service, without rollups. */
export interface UserData {
  /** Ids of the user's own traces and of the traces that name the user. */
  readonly ids: readonly string[];
  /** Ids of traces that name the user in an attribute or a step, and have another user id or none. */
  readonly naming: readonly string[];
  /** Hours since 1970 in which the traces started. */
  readonly hours: readonly number[];
  readonly spans: readonly SpanKey[];
}

/**
 * Finds all requests of a user, all requests that name the user, and their spans. Searches spans directly, because late spans are not in
 * a request's row yet, and some spans never get a request.
 */
export async function findUserData(store: TraceStore, project: ProjectId, user: string): Promise<UserData> {
  const owners = await findOwners(store, project, await findSpansNaming(store, project, user));
  const traces = [
    ...(await findUserTraces(store, project, user)),
    ...(await findTracesFromSpans(store, project, user, owners)),
  ];
  const requests = [...owners, ...traces.flatMap((trace) => findSpanRequest(trace) ?? [])];
  return {
    ids: selectDistinct(traces.map(({ id }) => id)),
    naming: selectDistinct(traces.flatMap(({ id, is_user }) => (is_user ? [] : id))),
    hours: selectDistinct(traces.map(({ start_ms }) => toHourFromMs(start_ms))),
    spans: await listSpans(store, eachOnce(requests)),
  };
}

/** Merges the ids and spans of two results, without duplicates. */
export function withMore(one: UserData, other: UserData): Pick<UserData, 'ids' | 'spans'> {
  return { ids: selectDistinct([...one.ids, ...other.ids]), spans: eachOnce([...one.spans, ...other.spans]) };
}

function selectDistinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function eachOnce<Key extends SpanKey | SpanRequest>(keys: readonly Key[]): readonly Key[] {
  return [...new Map(keys.map((key) => [`${key.traceId} ${key.spanId}`, key])).values()];
}
