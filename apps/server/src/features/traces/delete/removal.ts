import type { DeletionReceipt } from '@throughline/contract';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import { hashOfUser, type TraceStore } from '../../../platform/trace-store/index.ts';
import type { DeletionReceipts } from '../../deletions/index.ts';
import { type Rollups, toHourFromMicros } from '../../rollups/index.ts';
import { deleteSpans, listSpans } from '../../spans/index.ts';
import { findSpanRequest } from '../detail/steps.ts';
import type { StoredTrace } from '../store.ts';
import {
  countFiguresOfUser,
  countTraceRows,
  deleteProject,
  deleteProjectTraces,
  deleteTrace,
  deleteTraces,
  deleteUserTraces,
} from './removal-store.ts';
import { findUserData, withMore } from './user-data.ts';

/** Numbers of stored rows about a user: the user's own traces, and traces that name the user. */
export interface UserRows {
  readonly traces: number;
  readonly steps: number;
  readonly spans: number;
  /** Number of hours for which the user has rollups. */
  readonly figures: number;
}

/** Numbers of rows about a user that were deleted, and that are left. */
export interface DeletionCounts {
  readonly erased: UserRows;
  readonly left: UserRows;
  readonly receipt: DeletionReceipt;
}

/**
 * Deletes traces permanently, including from rollups. The traces are invisible when the promise resolves; the receipt gives the time when
 * they are deleted from disk. Backups still contain them.
 */
export interface Removal {
  trace(trace: StoredTrace): Promise<DeletionReceipt>;
  /** Deletes all traces of a project without deleting the project. */
  tracesOf(project: ProjectId): Promise<DeletionReceipt>;
  /** Deletes a project's data. The receipt is written when the project itself is deleted. */
  project(project: ProjectId): Promise<void>;
  /**
   * Deletes everything stored about a user of the traced service (traces, steps, spans, rollups), including requests that name the user.
   */
  user(project: ProjectId, user: string): Promise<DeletionCounts>;
}

/** Number of digits of the user's hash in receipts and the audit log. Someone who knows the user id can find the entry by the hash. */
const USER_DIGITS = 16;

function nameOfUser(user: string): string {
  return `sha256:${hashOfUser(user).slice(0, USER_DIGITS)}`;
}

export function createRemoval(deps: {
  readonly store: TraceStore;
  readonly rollups: Pick<Rollups, 'changing' | 'changingAll' | 'forget' | 'forgetUser' | 'rebuildHours'>;
  readonly receipts: Pick<DeletionReceipts, 'carryOut'>;
}): Removal {
  const { store, rollups, receipts } = deps;

  const user = async (projectId: ProjectId, user: string): Promise<DeletionCounts> => {
    const found = await findUserData(store, projectId, user);
    const { ids, naming, hours, spans } = found;
    const figures = await countFiguresOfUser(store, projectId, user);
    const remove = async () => {
      const gone = await rollups.changing(hours.map((hour) => ({ projectId, hour })));
      try {
        await deleteSpans(store, projectId, spans);
        await deleteUserTraces(store, projectId, user);
        await deleteTraces(store, projectId, naming);
        await rollups.forgetUser(projectId, user);
        await rollups.rebuildHours(projectId, hours);
      } finally {
        gone();
      }
    };
    const receipt = await receipts.carryOut({
      what: 'user',
      projectId,
      subject: nameOfUser(user),
      hours,
      count: () => countTraceRows(store, projectId, ids, spans),
      remove,
    });
    // Includes rows that arrived during the deletion.
    const all = withMore(found, await findUserData(store, projectId, user));
    const { traces, steps, spans: ofSpans } = receipt.before;
    return {
      erased: { traces, steps, spans: ofSpans, figures },
      left: {
        ...(await countTraceRows(store, projectId, all.ids, all.spans)),
        figures: await countFiguresOfUser(store, projectId, user),
      },
      receipt,
    };
  };

  return {
    user,
    async trace(trace) {
      const projectId = readId<ProjectId>(trace.project_id);
      if (projectId === undefined) throw new Error(`${trace.id} belongs to no project`);
      const request = findSpanRequest(trace);
      const spans = request === undefined ? [] : await listSpans(store, [request]);
      const hour = toHourFromMicros(trace.start_micros);
      return receipts.carryOut({
        what: 'trace',
        projectId,
        subject: trace.id,
        hours: [hour],
        count: () => countTraceRows(store, projectId, [trace.id], spans),
        async remove() {
          const gone = await rollups.changing([{ projectId, hour }]);
          await deleteTrace(store, trace).finally(gone);
          await deleteSpans(store, projectId, spans);
        },
      });
    },
    async tracesOf(project) {
      return receipts.carryOut({
        what: 'traces',
        projectId: project,
        subject: null,
        hours: null,
        async remove() {
          await rollups.changingAll(project);
          await deleteProjectTraces(store, project);
          await rollups.forget(project);
        },
      });
    },
    async project(project) {
      await deleteProject(store, project);
      await rollups.forget(project);
    },
  };
}
