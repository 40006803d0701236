import { and, asc, desc, eq, notInArray, sql } from 'drizzle-orm';
import { type ControlDb, findingDecisions, users } from '../../../platform/control-store/index.ts';
import type { ProjectId, UserId } from '../../../platform/ids.ts';

/**
 * Maximum number of stored decisions per project. If there are more, decisions with the state `open` are deleted first, then the oldest
 * decisions.
 */
const MAX_DECISIONS = 1000;

/** Finds the decisions about a project's findings; with `findingId`, only the decision about this finding. */
export async function findFindingDecisions(db: ControlDb, projectId: ProjectId, findingId?: string) {
  const rows = await db
    .select({
      findingId: findingDecisions.findingId,
      state: findingDecisions.state,
      until: findingDecisions.until,
      at: findingDecisions.decidedAt,
      by: users.name,
    })
    .from(findingDecisions)
    .leftJoin(users, eq(users.id, findingDecisions.decidedBy))
    .where(
      and(
        eq(findingDecisions.projectId, projectId),
        findingId === undefined ? undefined : eq(findingDecisions.findingId, findingId),
      ),
    );
  return new Map(rows.map((row) => [row.findingId, row]));
}

interface NewDecision {
  readonly projectId: ProjectId;
  readonly findingId: string;
  /** `open` cancels the decision about the finding, even a decision that an earlier version of the server stored under another id. */
  readonly state: 'open' | 'dismissed' | 'snoozed' | 'fixed';
  readonly until: Date | null;
  readonly decidedBy: UserId;
  readonly decidedAt: Date;
}

/** Stores a decision, replacing the previous decision about the finding. */
export async function putFindingDecision(db: ControlDb, decision: NewDecision): Promise<void> {
  const { projectId, findingId: _finding, ...set } = decision;
  await db
    .insert(findingDecisions)
    .values(decision)
    .onConflictDoUpdate({ target: [findingDecisions.projectId, findingDecisions.findingId], set });
  const newest = db
    .select({ findingId: findingDecisions.findingId })
    .from(findingDecisions)
    .where(eq(findingDecisions.projectId, projectId))
    .orderBy(asc(sql`${findingDecisions.state} = 'open'`), desc(findingDecisions.decidedAt))
    .limit(MAX_DECISIONS);
  await db
    .delete(findingDecisions)
    .where(and(eq(findingDecisions.projectId, projectId), notInArray(findingDecisions.findingId, newest)));
}
