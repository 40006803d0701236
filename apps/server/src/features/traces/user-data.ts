import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { hourOfMs } from '../rollups/index.ts';
import { findOwners, listSpans, type SpanKey, type SpanRequest } from '../spans/index.ts';
import { findSpansNaming, findTracesOf, findUserTraces } from './removal-store.ts';
import { spanRequest } from './steps.ts';

/** What is stored of somebody who used the traced service, but for figures. */
export interface UserData {
  /** Of all the traces. */
  readonly ids: readonly string[];
  /** Of those that do not say themselves whose they are, but name the user in an attribute, or in one of their steps. */
  readonly naming: readonly string[];
  /** Since 1970, those that the traces started in. */
  readonly hours: readonly number[];
  readonly spans: readonly SpanKey[];
}

/**
 * All requests of a user, and those that name the user, with the spans that they consist of. Each span is asked: those that came late are in no row yet,
 * and some never get a request.
 */
export async function findUserData(store: TraceStore, project: ProjectId, user: string): Promise<UserData> {
  const owners = await findOwners(store, project, await findSpansNaming(store, project, user));
  const traces = [
    ...(await findUserTraces(store, project, user)),
    ...(await findTracesOf(store, project, user, owners)),
  ];
  const requests = [...owners, ...traces.flatMap((trace) => spanRequest(trace) ?? [])];
  return {
    ids: distinct(traces.map(({ id }) => id)),
    naming: distinct(traces.flatMap(({ id, is_user }) => (is_user ? [] : id))),
    hours: distinct(traces.map(({ start_ms }) => hourOfMs(start_ms))),
    spans: await listSpans(store, eachOnce(requests)),
  };
}

/** What one or the other has. */
export function withMore(one: UserData, other: UserData): Pick<UserData, 'ids' | 'spans'> {
  return { ids: distinct([...one.ids, ...other.ids]), spans: eachOnce([...one.spans, ...other.spans]) };
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function eachOnce<Key extends SpanKey | SpanRequest>(keys: readonly Key[]): readonly Key[] {
  return [...new Map(keys.map((key) => [`${key.traceId} ${key.spanId}`, key])).values()];
}
