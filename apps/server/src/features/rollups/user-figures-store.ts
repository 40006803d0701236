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
    /** Start of the user's last request in epoch microseconds. */
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
  /** The start of each part of the range, the number of users who were active in this part, and the number of sessions that began in it. */
  by_part: z.tuple([z.array(z.coerce.bigint()), z.array(count), z.array(count)]),
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
  const rolledUpStays =
    split.rolledUp === undefined
      ? ''
      : `SELECT user_id AS user, requests, errors, duration_micros_sum AS micros,
           toUnixTimestamp64Micro(first_start) AS first, toUnixTimestamp64Micro(last_start) AS last, toUInt64(pauses) AS pauses, paused_micros
         FROM user_rollups WHERE ${split.rolledUp} UNION ALL`;
  // A stay is one request, or one rolled-up hour with all of the user's requests and pauses in it. A stay begins a new session if the
  // user's previous stay ended at least half an hour before. Stays do not overlap, so sorting starts and ends separately keeps each start
  // and its end at the same index, and is faster than sorting pairs.
  const [found] = await store.rows(
    Found,
    `SELECT countIf(known) AS users, sumIf(requests_, known) AS requests, sumIf(requests_, NOT known) AS unknown_requests,
       sumIf(sessions_, known) AS sessions, sumIf(session_micros_, known) AS session_micros,
       arrayMap(one -> (one.2, -one.1, one.3, one.4, one.5, one.6, toString(one.7)),
         groupArraySortedIf({limit:UInt32})((-toInt64(requests_), user, errors_, micros_, sessions_, session_micros_, last_start_), known)) AS busiest,
       sumMap(arrayConcat(parts_, paused_.1), arrayConcat(entered, arrayMap(one -> toUInt64(0), paused_)), arrayConcat(begun, paused_.2)) AS by_part
     FROM (
       SELECT user, user != '' AS known, sum(requests) AS requests_, sum(errors) AS errors_, sum(micros) AS micros_,
         arraySort(groupArrayIf(first, user != '')) AS starts, arraySort(groupArrayIf(last, user != '')) AS ends,
         arrayMap((start, before) -> start - before, starts,
           arrayResize(arrayPushFront(ends, starts[1] - ${SESSION_PAUSE_MICROS}), length(starts))) AS gaps,
         arrayMap(gap -> toUInt64(gap >= ${SESSION_PAUSE_MICROS}), gaps) AS begun,
         groupArrayIf((${split.selectPart('first')}, pauses), user != '' AND pauses > 0) AS paused_,
         arraySum(begun) + sum(pauses) AS sessions_, ends[-1] AS last_start_,
         toInt64(last_start_ - starts[1] + ${SESSION_PAUSE_MICROS} - arraySum(gap -> if(gap >= ${SESSION_PAUSE_MICROS}, gap, 0), gaps)
           - sum(paused_micros)) AS session_micros_,
         arrayMap(start -> ${split.selectPart('start')}, starts) AS parts_,
         arrayMap((part, before) -> toUInt64(part != before), parts_,
           arrayResize(arrayPushFront(parts_, toInt64(-1)), length(parts_))) AS entered
       FROM (${rolledUpStays}
         SELECT user_id AS user, toUInt64(1) AS requests, toUInt64(is_error) AS errors, duration_micros AS micros,
           toUnixTimestamp64Micro(start_time) AS first, first AS last, toUInt64(0) AS pauses, toUInt64(0) AS paused_micros
         FROM traces FINAL WHERE ${split.traces})
       GROUP BY user) ${FOLDED}`,
    { ...split.params, limit },
  );
  if (found === undefined) return NOBODY;
  const {
    by_part: [starts, users, sessions],
    ...totals
  } = found;
  const parts = new Map(
    starts.map((part, at) => [part, { users: users[at] ?? 0, sessions: sessions[at] ?? 0 }]),
  );
  return { ...totals, parts };
}
