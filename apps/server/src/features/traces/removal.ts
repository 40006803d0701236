import { type ProjectId, readId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { hourOfMicros, hourOfMs, type Rollups } from '../rollups/index.ts';
import { deleteSpans, stepsOf } from '../spans/index.ts';
import {
  countUserRows,
  deleteProject,
  deleteTrace,
  deleteTracesOf,
  deleteUserTraces,
  findUserTraces,
  purgeDeleted,
  type UserRows,
  type UserTrace,
} from './removal-store.ts';
import { spanRequest } from './steps.ts';
import type { StoredTrace } from './store.ts';

/** What was stored of a user, and what is left of it. */
export interface Erasure {
  readonly erased: UserRows;
  readonly left: UserRows;
}

/** What takes traces away for good, out of the figures over them too. */
export interface Removal {
  trace(trace: StoredTrace): Promise<void>;
  /** All traces of a project that stays. */
  tracesOf(project: ProjectId): Promise<void>;
  project(project: ProjectId): Promise<void>;
  /** All that is stored of somebody who used the traced service: traces, steps, spans, figures; off the disk too, but for what backups hold. */
  user(project: ProjectId, user: string): Promise<Erasure>;
}

export function createRemoval(deps: {
  readonly store: TraceStore;
  readonly rollups: Pick<Rollups, 'changing' | 'changingAll' | 'forget' | 'forgetUser' | 'rebuildHours'>;
}): Removal {
  const { store, rollups } = deps;

  /** Of a distributed trace only this request's spans go. */
  const spansOf = async (trace: Pick<UserTrace, 'has_spans' | 'project_id' | 'trace_id' | 'span_id'>) => {
    const request = spanRequest(trace);
    if (request === undefined) return undefined;
    const steps = await stepsOf(store, request);
    return { request, spanIds: [request.spanId, ...steps.map(({ spanId }) => spanId)] };
  };

  const user = async (projectId: ProjectId, user: string): Promise<Erasure> => {
    const traces = await findUserTraces(store, projectId, user);
    const hours = [...new Set(traces.map(({ start_ms }) => hourOfMs(start_ms)))];
    const requests = [];
    for (const trace of traces) requests.push(await spansOf(trace));
    const spans = requests.flatMap((known) =>
      known === undefined ? [] : known.spanIds.map((spanId) => ({ traceId: known.request.traceId, spanId })),
    );
    const erased = await countUserRows(store, projectId, user, traces, spans);
    const gone = await rollups.changing(hours.map((hour) => ({ projectId, hour })));
    try {
      for (const known of requests) {
        if (known !== undefined) await deleteSpans(store, known.request, known.spanIds);
      }
      await deleteUserTraces(store, projectId, user);
      await rollups.forgetUser(projectId, user);
      await rollups.rebuildHours(projectId, hours);
    } finally {
      gone();
    }
    if (erased.traces + erased.figures > 0) {
      await purgeDeleted(store, ['steps', 'traces', 'user_rollups', ...(spans.length > 0 ? ['spans'] : [])]);
    }
    return { erased, left: await countUserRows(store, projectId, user, traces, spans) };
  };

  return {
    user,
    async trace(trace) {
      const projectId = readId<ProjectId>(trace.project_id);
      if (projectId === undefined) throw new Error(`${trace.id} is of no project`);
      const known = await spansOf(trace);
      const gone = await rollups.changing([{ projectId, hour: hourOfMicros(trace.start_micros) }]);
      await deleteTrace(store, trace).finally(gone);
      if (known !== undefined) await deleteSpans(store, known.request, known.spanIds);
    },
    async tracesOf(project) {
      await rollups.changingAll(project);
      await deleteTracesOf(store, project);
      await rollups.forget(project);
    },
    async project(project) {
      await deleteProject(store, project);
      await rollups.forget(project);
    },
  };
}
