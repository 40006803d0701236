import { MAX_TRACE_IDS, type TraceRow } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import type { Scope, ShownProject, VisibleProject } from '../../../platform/http/guard.ts';
import { getTraceScope } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ReadingPlaces } from '../detail/reading-places.ts';
import type { SearchTrace } from '../detail/search-steps.ts';
import { findTraceHead } from '../detail/single-trace-store.ts';
import { createTraceIn } from '../detail/trace-in.ts';
import { findPage } from '../store.ts';
import { createSharedReading, type SharedReading } from './link-reading.ts';

/** The functions of the traces feature that share links need. */
export interface TraceSharing {
  readonly reading: SharedReading;
  /** Finds the trace that a member's request names. @throws AppError `not_found`, `forbidden` */
  locate(scope: Scope, id: string): Promise<{ readonly traceId: string; readonly project: VisibleProject }>;
  /** Finds the rows of a project's traces. Deleted and expired traces are absent. */
  rows(project: ShownProject, ids: readonly string[]): Promise<ReadonlyMap<string, TraceRow>>;
}

export function createTraceSharing(
  store: TraceStore,
  large: ReadingPlaces,
  searchTrace: SearchTrace,
): TraceSharing {
  const traceIn = createTraceIn(store);
  return {
    reading: createSharedReading(store, large, searchTrace),
    async locate(scope, id) {
      const trace = await traceIn(findTraceHead, scope, id);
      const project = getTraceScope(scope).projects.find((one) => one.id === trace.project_id);
      if (project === undefined) throw new AppError('not_found');
      return { traceId: trace.id, project };
    },
    async rows(project, ids) {
      const found = new Map<string, TraceRow>();
      for (let from = 0; from < ids.length; from += MAX_TRACE_IDS) {
        const requests = ids.slice(from, from + MAX_TRACE_IDS).join(',');
        const page = await findPage(store, [project], { ...ALL, filters: { requests } });
        for (const row of page.rows) found.set(row._id, row);
      }
      return found;
    },
  };
}

const ALL = {
  attributes: [],
  from: undefined,
  until: undefined,
  sort: 'time',
  limit: MAX_TRACE_IDS,
  after: undefined,
} as const;
