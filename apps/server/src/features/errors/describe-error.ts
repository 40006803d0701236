import { type ErrorGroup, formatInstant, TREND_PARTS } from '@throughline/contract';
import type { StoredDecision } from './decisions-store.ts';
import { findState } from './error-state.ts';
import type { ErrorRow } from './errors-store.ts';
import type { ErrorGrouping } from './grouping/error-grouping.ts';
import { readPlace } from './throwing/error-place.ts';

export function describeError(
  row: ErrorRow,
  grouping: Pick<ErrorGrouping, 'listMerged' | 'listRequestIds'>,
  decision: StoredDecision | undefined,
  nowMicros: bigint,
): ErrorGroup {
  const [releases, lasts] = row.releases;
  const lastByRelease = new Map(releases.map((release, at) => [release, lasts[at] ?? row.last]));
  const [parts, counts] = row.trend;
  const merged = grouping.listMerged(row.error_id);
  const isChanged = decision !== undefined && decision.state !== 'open';
  return {
    id: row.error_id,
    merged: [...merged],
    splitFrom: row.message_id === '' || row.message_id === row.error_id ? null : row.message_id,
    requestIds: grouping.listRequestIds([row.error_id, ...merged]),
    service: row.service_name,
    services: row.services,
    message: row.message,
    thrownBy: readPlace(row.place),
    count: row.errors,
    users: row.users,
    endpoint: row.most_endpoint,
    endpoints: row.endpoint_count,
    firstSeen: formatInstant(row.first),
    lastSeen: formatInstant(row.last),
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    trend: Array.from({ length: TREND_PARTS }, (_, part) => counts[parts.indexOf(part)] ?? 0),
    state: findState({ firstMicros: row.first, lastByRelease }, decision, nowMicros),
    changed: isChanged ? { at: decision.changedAt.toISOString(), by: decision.changedBy } : null,
    resolvedAfterRelease: decision?.state === 'resolved' ? decision.afterRelease : null,
    note: decision?.note ?? '',
    assignee: describeAssignee(decision),
    newest: row.newest,
  };
}

function describeAssignee(decision: StoredDecision | undefined): ErrorGroup['assignee'] {
  const { assigneeId = null, assigneeName = null } = decision ?? {};
  return assigneeId === null || assigneeName === null ? null : { id: assigneeId, name: assigneeName };
}

/** Returns which list of the page contains the error: open, resolved or ignored errors. */
export function findSide(state: ErrorGroup['state']): 'open' | 'resolved' | 'ignored' {
  return state === 'resolved' || state === 'ignored' ? state : 'open';
}
