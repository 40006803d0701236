import { and, eq } from 'drizzle-orm';
import { type ControlDb, errorStates, users } from '../../platform/control-store/index.ts';
import type { ProjectId, UserId } from '../../platform/ids.ts';

/** Finds the decisions about a project's errors, by error. */
export async function findDecisions(db: ControlDb, projectId: ProjectId, errorId?: string) {
  const rows = await db
    .select({
      errorId: errorStates.errorId,
      state: errorStates.state,
      afterRelease: errorStates.afterRelease,
      note: errorStates.note,
      changedAt: errorStates.changedAt,
      changedBy: users.name,
    })
    .from(errorStates)
    .leftJoin(users, eq(users.id, errorStates.changedBy))
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

interface NewDecision {
  readonly projectId: ProjectId;
  readonly errorId: string;
  readonly state: 'open' | 'resolved' | 'ignored';
  readonly afterRelease: string | null;
  readonly note: string;
  readonly changedBy: UserId;
  readonly changedAt: Date;
}

/** Stores a decision in place of the one before. */
export async function putDecision(db: ControlDb, decision: NewDecision): Promise<void> {
  const { projectId: _project, errorId: _error, ...set } = decision;
  await db
    .insert(errorStates)
    .values(decision)
    .onConflictDoUpdate({ target: [errorStates.projectId, errorStates.errorId], set });
}
