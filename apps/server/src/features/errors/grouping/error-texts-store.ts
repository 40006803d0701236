import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { QueryParams, TraceStore } from '../../../platform/trace-store/index.ts';
import { buildErrorId, ERROR_GROUP } from '../../rollups/index.ts';
import type { ErrorGrouping } from './error-grouping.ts';
import { type ErrorSql, MAX_CHARACTERS, selectErrors } from './grouping-store.ts';

const TextRow = z.object({ error_id: z.string(), service_name: z.string(), message: z.string() });
type TextRow = z.output<typeof TextRow>;

const MAX_CACHED = 20_000;
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

/** The service and message of an error. */
type ErrorText = Omit<TextRow, 'error_id'>;

/** Finds SQL conditions that select the failed requests of errors. */
export interface ErrorConditions {
  /**
   * Finds a condition for the failed requests of the given errors before `until`, without the requests of errors that were merged into
   * them. The condition compares services and messages, which takes a third of the time that it takes to compute the error id of each
   * failed request. The condition compares ids if an error was split by function, or if the texts are long.
   */
  find(
    project: ShownProject,
    until: bigint,
    grouping: ErrorGrouping,
    errorIds: readonly string[],
  ): Promise<ErrorSql>;
  /** Caches the texts of errors that were read for a list, so that opening one of these errors does not read its texts again. */
  remember(projectId: ProjectId, errors: readonly ErrorText[]): void;
}

/** Cached texts do not expire: an error's id is the hash of its texts, so the texts of an id never change. */
export function createErrorConditions(store: TraceStore): ErrorConditions {
  const texts = new LRUCache<string, TextRow>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (row) => countCharacters([row]) + row.error_id.length,
  });
  const buildKey = (project: ProjectId, errorId: string) => `${project} ${errorId}`;

  // An id is the hash of the service, a line break and the message. If a text contained another line break, two errors could have one id.
  const cache = (projectId: ProjectId, rows: readonly TextRow[]) => {
    for (const row of rows) {
      if (!`${row.service_name}${row.message}`.includes('\n'))
        texts.set(buildKey(projectId, row.error_id), row);
    }
  };

  return {
    async find(project, until, grouping, errorIds) {
      const cached = errorIds.flatMap((id) => texts.get(buildKey(project.id, id)) ?? []);
      const isCached = (id: string) => cached.some(({ error_id }) => error_id === id);
      const read = await readTexts(
        store,
        project,
        until,
        errorIds.filter((id) => !isCached(id)),
      );
      cache(project.id, read);
      const rows = [...cached, ...read];
      return isByMessage(grouping, errorIds, rows) && countCharacters(rows) <= MAX_CHARACTERS
        ? selectTexts(rows)
        : selectErrors(grouping, errorIds);
    },
    remember(projectId, errors) {
      const rows = errors.map(({ service_name, message }) => {
        const error_id = createHash('md5').update(`${service_name}\n${message}`).digest('hex');
        return { error_id, service_name, message };
      });
      cache(projectId, rows);
    },
  };
}

async function readTexts(
  store: TraceStore,
  { id: project, shownSince }: ShownProject,
  until: bigint,
  errorIds: readonly string[],
): Promise<TextRow[]> {
  if (errorIds.length === 0) return [];
  // The id is computed from `any` values, so ClickHouse computes it once per group. If the id were computed from the keys of the GROUP BY,
  // ClickHouse would compute it for each request.
  return store.rows(
    TextRow,
    `SELECT toString(any(service)) AS service_name, toString(any(${ERROR_GROUP})) AS message, ${buildErrorId('service_name', 'message')} AS error_id
     FROM traces WHERE project_id = {project:UUID} AND start_time >= fromUnixTimestamp64Micro({since:Int64})
       AND start_time < fromUnixTimestamp64Micro({until:Int64}) AND is_error
     GROUP BY service, ${ERROR_GROUP} HAVING error_id IN {errorIds:Array(String)}`,
    { project, since: String(shownSince), until: String(until), errorIds },
  );
}

function countCharacters(rows: readonly ErrorText[]): number {
  return rows.reduce((sum, { service_name, message }) => sum + service_name.length + message.length, 0);
}

/**
 * True if each error contains all failed requests with the error's service and message. In a project with splits, an id that belongs to no
 * message can be the id of one function's error.
 */
function isByMessage(
  { splits }: ErrorGrouping,
  errorIds: readonly string[],
  rows: readonly TextRow[],
): boolean {
  if (splits.size === 0) return true;
  const found = new Set(rows.map(({ error_id }) => error_id));
  return errorIds.every((id) => found.has(id) && !splits.has(id));
}

function selectTexts(rows: readonly TextRow[]): ErrorSql {
  const services = [...Map.groupBy(rows, ({ service_name }) => service_name)];
  const alternatives = services.map(
    (_, index) =>
      `(service = {errorService${index}:String} AND ${ERROR_GROUP} IN {errorMessages${index}:Array(String)})`,
  );
  const params: QueryParams = Object.fromEntries(
    services.flatMap(([service, texts], index) => [
      [`errorService${index}`, service],
      [`errorMessages${index}`, texts.map(({ message }) => message)],
    ]),
  );
  return { sql: `is_error AND (${['false', ...alternatives].join(' OR ')})`, params };
}
