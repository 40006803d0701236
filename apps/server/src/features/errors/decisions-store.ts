import { and, desc, eq, inArray } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { toMicros } from '../../platform/clock.ts';
import { type ControlDb, errorStates, projects, users } from '../../platform/control-store/index.ts';
import type { OrganizationId, ProjectId, UserId } from '../../platform/ids.ts';

const assignees = alias(users, 'assignees');

/** Finds the decisions about a project's errors. Returns a map whose keys are the ids of the errors. */
export async function findDecisions(db: ControlDb, projectId: ProjectId, errorId?: string) {
  const rows = await db
    .select({
      errorId: errorStates.errorId,
      state: errorStates.state,
      afterRelease: errorStates.afterRelease,
      note: errorStates.note,
      changedAt: errorStates.changedAt,
      changedBy: users.name,
      assigneeId: errorStates.assignee,
      assigneeName: assignees.name,
    })
    .from(errorStates)
    .leftJoin(users, eq(users.id, errorStates.changedBy))
    .leftJoin(assignees, eq(assignees.id, errorStates.assignee))
    .where(
      and(
        eq(errorStates.projectId, projectId),
        errorId === undefined ? undefined : eq(errorStates.errorId, errorId),
      ),
    );
  return new Map(rows.map((row) => [row.errorId, row]));
}

export type StoredDecision =
  Awaited<ReturnType<typeof findDecisions>> extends Map<string, infer Row> ? Row : never;

type NewState = typeof errorStates.$inferInsert;
export type DecisionChange = Partial<Omit<NewState, 'projectId' | 'errorId'>>;

/** Changes some fields of the decision about an error. An error without a decision first gets a decision with the state `open`. */
export async function putDecision(
  db: ControlDb,
  error: { readonly projectId: ProjectId; readonly errorId: string },
  change: DecisionChange,
  now: Date,
): Promise<void> {
  await db
    .insert(errorStates)
    .values({ ...error, state: 'open', note: '', changedAt: now, ...change })
    .onConflictDoUpdate({ target: [errorStates.projectId, errorStates.errorId], set: change });
}

/** A resolved or ignored error. */
export interface ClosedError {
  readonly errorId: string;
  /** An occurrence after this time reopens the error, in epoch µs. Null for an ignored error, which stays closed. */
  readonly reopensAfter: bigint | null;
  readonly afterRelease: string | null;
}

/** Finds the errors that were resolved or ignored. The error with the newest decision comes first. */
export async function findClosed(
  db: ControlDb,
  projectId: ProjectId,
  states: readonly ('resolved' | 'ignored')[],
  limit: number,
): Promise<ClosedError[]> {
  const rows = await db
    .select({
      errorId: errorStates.errorId,
      state: errorStates.state,
      afterRelease: errorStates.afterRelease,
      changedAt: errorStates.changedAt,
    })
    .from(errorStates)
    .where(and(eq(errorStates.projectId, projectId), inArray(errorStates.state, [...states])))
    .orderBy(desc(errorStates.changedAt))
    .limit(limit);
  return rows.map(({ errorId, state, afterRelease, changedAt }) => ({
    errorId,
    reopensAfter: state === 'ignored' ? null : toMicros(changedAt.getTime()),
    afterRelease,
  }));
}

/** Finds the errors that are assigned to a person. The error with the newest decision comes first. */
export async function findAssigned(
  db: ControlDb,
  projectId: ProjectId,
  assignee: UserId,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .select({ errorId: errorStates.errorId })
    .from(errorStates)
    .where(and(eq(errorStates.projectId, projectId), eq(errorStates.assignee, assignee)))
    .orderBy(desc(errorStates.changedAt))
    .limit(limit);
  return rows.map(({ errorId }) => errorId);
}

/** Clears the assignee of all errors in an organization's projects that are assigned to a member who leaves the organization. */
export async function clearAssignee(
  tx: ControlDb,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  const own = tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.organizationId, organizationId));
  await tx
    .update(errorStates)
    .set({ assignee: null })
    .where(and(eq(errorStates.assignee, userId), inArray(errorStates.projectId, own)));
}
