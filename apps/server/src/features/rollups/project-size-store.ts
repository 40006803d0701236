import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/** How long a project's size is cached. A stale size affects only the speed of queries. */
const HOLDS_MS = 60_000;
const MAX_CACHED_PROJECTS = 10_000;

/** Builds a function that checks if a project has at most `few` traces. */
export function sizeOfProjects(store: TraceStore, few: number): (project: ProjectId) => Promise<boolean> {
  const known = new Map<ProjectId, { readonly isSmall: boolean; readonly untilMs: number }>();
  return async (project) => {
    if (few === 0) return false;
    const before = known.get(project);
    if (before !== undefined && before.untilMs > performance.now()) return before.isSmall;
    const [row] = await store.rows(
      z.object({ traces: z.coerce.number() }),
      'SELECT count() AS traces FROM traces WHERE project_id = {project:UUID}',
      { project },
    );
    const isSmall = (row?.traces ?? 0) <= few;
    if (known.size >= MAX_CACHED_PROJECTS) known.clear();
    known.set(project, { isSmall, untilMs: performance.now() + HOLDS_MS });
    return isSmall;
  };
}
