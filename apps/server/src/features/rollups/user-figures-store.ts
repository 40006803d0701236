import { z } from 'zod';
import { FOLDED, type Source } from './request-figures-store.ts';
import { type Reading, type Shown, splitRange } from './rollup-query-plan-store.ts';
import { SESSION_PAUSE_MICROS } from './states-store.ts';

const count = z.coerce.number();
const micros = z.string().transform(BigInt);

const UserFigures = z
  .tuple([z.string(), count, count, count, count, count, micros])
  .transform(([user_id, requests, errors, duration_micros_sum, sessions, session_micros, last_start]) => ({
    user_id,
    requests,
    errors,
    duration_micros_sum,
    /** Number of periods in which the user was never idle for half an hour or longer. */
    sessions,
    /** Total duration of the sessions, each from the start of its first request to the start of its last request. */
    session_micros,
    /** Epoch µs. */
    last_start,
  }));
type UserFigures = z.output<typeof UserFigures>;

const Found = z.object({
  users: count,
  requests: count,
  unknown_requests: count,
  sessions: count,
  session_micros: count,
  busiest: z.array(UserFigures),
  /** For each part of the range, its start and the number of users who were active in that part. */
  present: z.tuple([z.array(z.coerce.bigint()), z.array(count)]),
  begun: z.tuple([z.array(z.coerce.bigint()), z.array(count)]),
});

/** Number of users who were active in one part of a range, and of sessions that began in that part. */
interface UserPart {
  readonly users: number;
  readonly sessions: number;
}

/** Stats of the project's users with a known id, in a range. */
export interface UsersFigures {
  readonly users: number;
  readonly requests: number;
  readonly sessions: number;
  readonly session_micros: number;
  /** Number of requests without a user id; the other values do not include these requests. */
  readonly unknown_requests: number;
  /** Users with the most requests, the busiest first. */
  readonly busiest: readonly UserFigures[];
  /** Stats of each part with at least one active user, by the part's start. */
  readonly parts: ReadonlyMap<bigint, UserPart>;
}

const NOBODY: UsersFigures = {
  users: 0,
  requests: 0,
  sessions: 0,
  session_micros: 0,
  unknown_requests: 0,
  busiest: [],
  parts: new Map(),
};

export async function findUsersFigures(
  { store, isSmall }: Source,
  project: Shown,
  reading: Reading,
  limit: number,
): Promise<UsersFigures> {
  const split = await splitRange(store, project, reading, {
    fromTraces: await isSmall(project.id),
    unfiltered: true,
  });
  if (split === undefined) return NOBODY;
  const start = 'toUnixTimestamp64Micro(start_time)';
  const ofRollups =
    split.rolledUp === undefined
      ? ''
      : `SELECT user_id AS user, requests, errors, duration_micros_sum AS micros,
           (toUnixTimestamp64Micro(first_start), toUnixTimestamp64Micro(last_start), ${split.part.rolledUp}) AS stay, pauses, paused_micros
         FROM user_rollups WHERE ${split.rolledUp} UNION ALL`;
  // A stay is one request, or one rolled-up hour with all of the user's requests and pauses in it. A stay begins a new session if the
  // user's previous stay ended at least half an hour before.
  const [found] = await store.rows(
    Found,
    `SELECT countIf(known) AS users, sumIf(requests_, known) AS requests, sumIf(requests_, NOT known) AS unknown_requests,
       sumIf(sessions_, known) AS sessions, sumIf(session_micros_, known) AS session_micros,
       arrayMap(one -> (one.2, -one.1, one.3, one.4, one.5, one.6, toString(one.7)),
         groupArraySortedIf({limit:UInt32})((-toInt64(requests_), user, errors_, micros_, sessions_, session_micros_, last_start_), known)) AS busiest,
       sumMapIf(present_, arrayMap(part -> toUInt64(1), present_), known) AS present, sumMapIf(begun_.1, begun_.2, known) AS begun
     FROM (
       SELECT user, user != '' AS known, sum(requests) AS requests_, sum(errors) AS errors_, sum(micros) AS micros_,
         arraySort(groupArrayIf((stay.1, stay.2, stay.3, pauses), user != '')) AS stays,
         arrayMap((this, before) -> this.1 - before.2, arrayPopFront(stays), arrayPopBack(stays)) AS gaps,
         arrayMap((this, gap) -> toUInt64(this.4 + (gap >= ${SESSION_PAUSE_MICROS})), stays, arrayResize(arrayPushFront(gaps, ${SESSION_PAUSE_MICROS}), length(stays))) AS begins,
         arraySum(begins) AS sessions_, arrayFilter(gap -> gap >= ${SESSION_PAUSE_MICROS}, gaps) AS pauses_,
         toInt64(stays[-1].2 - stays[1].1 - arraySum(pauses_) - sum(paused_micros)) AS session_micros_, stays[-1].2 AS last_start_,
         arrayMap(stay -> stay.3, stays) AS parts_, arrayDistinct(parts_) AS present_, (parts_, begins) AS begun_
       FROM (${ofRollups}
         SELECT user_id AS user, toUInt64(1) AS requests, toUInt64(is_error) AS errors, duration_micros AS micros,
           (${start}, ${start}, ${split.part.traces}) AS stay, toUInt32(0) AS pauses, toUInt64(0) AS paused_micros
         FROM traces FINAL WHERE ${split.traces})
       GROUP BY user) ${FOLDED}`,
    { ...split.params, limit },
  );
  if (found === undefined) return NOBODY;
  const { present, begun, ...totals } = found;
  const sessions = new Map(begun[0].map((part, at) => [part, begun[1][at] ?? 0]));
  const parts = new Map(
    present[0].map((part, at) => [part, { users: present[1][at] ?? 0, sessions: sessions.get(part) ?? 0 }]),
  );
  return { ...totals, parts };
}
