import { z } from 'zod';
import type { QueryParams, TraceStore } from '../../platform/trace-store/index.ts';
import { ENDPOINT, FEATURE, FOLDED, type Reading, type Shown } from '../rollups/index.ts';
import { selectShownTraces } from './store.ts';

const count = z.coerce.number();
/** A hash of the user id, because counting distinct numbers is much faster than counting distinct texts; 0 without a user. */
const PERSON_HASH = "if(user_id = '', 0, cityHash64(user_id))";
const USERS = 'uniqExactIf(person, person != 0)';

/** Counts requests by country of origin, the most frequent first. An unknown country is an empty string. */
export async function findCountries(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = selectShownTraces(project, reading);
  return store.rows(
    z.object({ country: z.string(), requests: count, users: count, errors: count }),
    `SELECT toString(country) AS country, count() AS requests, ${USERS} AS users, countIf(is_error) AS errors
     FROM (SELECT country, is_error, ${PERSON_HASH} AS person FROM ${from}) GROUP BY country ORDER BY requests DESC, country ${FOLDED}`,
    params,
  );
}

const UsageRow = z.object({
  kind: z.enum(['all', 'endpoint', 'feature']),
  method: z.string(),
  path: z.string(),
  feature: z.string(),
  requests: count,
  users: count,
});
type UsageRow = z.output<typeof UsageRow>;

/** Counts requests and known users, in total and for each endpoint and feature, the most used first. */
export async function findUsage(store: TraceStore, project: Shown, reading: Reading) {
  const { from, params } = selectShownTraces(project, reading);
  const rows = await store.rows(
    UsageRow,
    `SELECT multiIf(grouping(k_path) = 0, 'endpoint', grouping(k_feature) = 0, 'feature', 'all') AS kind, k_method AS method,
       toString(k_path) AS path, k_feature AS feature, count() AS requests, ${USERS} AS users
     FROM (SELECT upper(method) AS k_method, ${ENDPOINT} AS k_path, ${FEATURE} AS k_feature, ${PERSON_HASH} AS person FROM ${from})
     GROUP BY GROUPING SETS ((), (k_method, k_path), (k_feature))
     ORDER BY requests DESC, method, path, feature ${FOLDED}`,
    params,
  );
  const of = (kind: UsageRow['kind']) => rows.filter((row) => row.kind === kind);
  const [all] = of('all');
  return {
    requests: all?.requests ?? 0,
    users: all?.users ?? 0,
    endpoints: of('endpoint'),
    features: of('feature'),
  };
}

/** Maximum time between the steps of a funnel. It is longer than any range, so only the range limits the time between the steps. */
const WINDOW_MICROS = 100_000_000_000_000;

const START = 'toUnixTimestamp64Micro(start_time)';

/**
 * Identifies the person behind a request: the request's user; without a user, the next user in the request's session, otherwise the
 * session's last user, otherwise the session. Empty without a user and a session.
 */
const PERSON = `multiIf(user_id != '', concat('user ', user_id),
  session_id = '', '',
  empty(users_), concat('session ', session_id),
  concat('user ', if(arrayFirstIndex(one -> one.1 >= started, users_) AS next_ = 0, users_[-1].2, users_[next_].2)))`;

const LevelRow = z.object({ level: count, people: count });

/**
 * Counts persons (see {@link PERSON}) by the last funnel step that they completed. A failed request completes no step. Persons who completed
 * no step are left out.
 */
export async function findFunnelLevels(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  steps: readonly { readonly method: string; readonly path: string }[],
): Promise<ReadonlyMap<number, number>> {
  const { from, params } = selectShownTraces(project, reading);
  const conditions = steps.map(
    (_step, at) => `upper(method) = {method${at}:String} AND ${ENDPOINT} = {path${at}:String}`,
  );
  // The list of paths excludes most requests, and comparing paths takes a third of the time of comparing all conditions.
  const completing = `${from} AND NOT is_error AND ${ENDPOINT} IN {paths:Array(String)} AND (${conditions.join(' OR ')})`;
  const requests = {
    from,
    completing,
    selectLevel: (started: string) =>
      `windowFunnel(${WINDOW_MICROS})(toUInt64(${started}), ${conditions.join(', ')})`,
    params: {
      ...params,
      paths: steps.map(({ path }) => path),
      ...Object.fromEntries(
        steps.flatMap(({ method, path }, at) => [
          [`method${at}`, method],
          [`path${at}`, path],
        ]),
      ),
    },
  };
  const rows = (await countKnown(store, requests)) ?? (await countPersons(store, requests));
  return new Map(rows.map(({ level, people }) => [level, people]));
}

/** The requests that can complete a step of a funnel (`completing`), all requests (`from`), and SQL for the last completed step. */
interface FunnelRequests {
  readonly from: string;
  readonly completing: string;
  readonly selectLevel: (started: string) => string;
  readonly params: QueryParams;
}

/**
 * Counts the persons of a funnel by the user ids of the requests. Returns undefined if a request has a session but no user, because then
 * another request of the session can tell who the user is.
 */
async function countKnown(store: TraceStore, { completing, selectLevel, params }: FunnelRequests) {
  const rows = await store.rows(
    LevelRow.extend({ anonymous: count }),
    `SELECT level, countIf(user_id != '') AS people, sum(anonymous_) AS anonymous FROM (
       SELECT user_id, ${selectLevel(START)} AS level, countIf(user_id = '' AND session_id != '') AS anonymous_ FROM ${completing} GROUP BY user_id)
     GROUP BY level ${FOLDED}`,
    params,
  );
  if (rows.some(({ anonymous }) => anonymous > 0)) return undefined;
  return rows.filter(({ level, people }) => level > 0 && people > 0);
}

async function countPersons(store: TraceStore, { from, completing, selectLevel, params }: FunnelRequests) {
  return store.rows(
    LevelRow,
    // Reads the users of a session only if the session has a request without a user that can complete a step.
    `SELECT level, count() AS people FROM (
       SELECT ${PERSON} AS who, ${selectLevel('started')} AS level FROM (
         SELECT user_id, session_id, ${START} AS started, method, ${ENDPOINT} FROM ${completing}) AS requests
       LEFT JOIN (
         SELECT session_id, arraySort(groupArray((appeared, user_id))) AS users_ FROM (
           SELECT session_id, user_id, min(${START}) AS appeared
           FROM ${from} AND session_id != '' AND user_id != '' AND session_id IN (SELECT session_id FROM ${completing} AND user_id = '')
           GROUP BY session_id, user_id)
         GROUP BY session_id) AS sessions USING session_id
       WHERE who != '' GROUP BY who)
     WHERE level > 0 GROUP BY level ${FOLDED}`,
    params,
  );
}
