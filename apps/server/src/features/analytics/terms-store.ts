import type { AccountPlan, Funnel } from '@throughline/contract';
import { eq } from 'drizzle-orm';
import {
  type ControlDb,
  funnels,
  paysForProject,
  planColumns,
  planInForce,
  projects,
  subscriptions,
} from '../../platform/control-store/index.ts';
import type { ProjectId } from '../../platform/ids.ts';

/** Settings that a project's stats depend on, in addition to traces. */
interface ProjectTerms extends AccountPlan {
  /** Share of requests that services should record, 0 to 1; null if each service decides. */
  readonly sampleRate: number | null;
}

/** Returns undefined if the project no longer exists. */
export async function findTerms(db: ControlDb, id: ProjectId, now: Date): Promise<ProjectTerms | undefined> {
  const [row] = await db
    .select({ sampleRate: projects.sampleRate, organizationId: projects.organizationId, ...planColumns })
    .from(projects)
    .leftJoin(subscriptions, paysForProject)
    .where(eq(projects.id, id));
  if (row === undefined) return undefined;
  const kind = row.organizationId === null ? 'solo' : 'organization';
  return { sampleRate: row.sampleRate, plan: planInForce(row, now), kind };
}

export async function findFunnel(db: ControlDb, id: ProjectId): Promise<Funnel> {
  const [row] = await db.select({ steps: funnels.steps }).from(funnels).where(eq(funnels.projectId, id));
  return row ?? { steps: [] };
}

/** Stores a project's funnel, or deletes the funnel if there are no steps. */
export async function setFunnel(db: ControlDb, id: ProjectId, { steps }: Funnel): Promise<void> {
  if (steps.length === 0) {
    await db.delete(funnels).where(eq(funnels.projectId, id));
    return;
  }
  await db
    .insert(funnels)
    .values({ projectId: id, steps })
    .onConflictDoUpdate({ target: funnels.projectId, set: { steps } });
}
