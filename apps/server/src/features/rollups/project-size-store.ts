import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ProjectId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

/** How long a project's size is cached. A stale size affects only the speed of queries. */
const HOLDS_MS = 60_000;
const MAX_CACHED_PROJECTS = 10_000;

/** Builds a function that checks if a project has at most `few` traces. */
export function createSizeCheck(store: TraceStore, few: number): (project: ProjectId) => Promise<boolean> {
  const known = new LRUCache<ProjectId, boolean>({ max: MAX_CACHED_PROJECTS, ttl: HOLDS_MS });
  return async (project) => {
    if (few === 0) return false;
    const before = known.get(project);
    if (before !== undefined) return before;
    const [row] = await store.rows(
      z.object({ traces: z.coerce.number() }),
      'SELECT count() AS traces FROM traces WHERE project_id = {project:UUID}',
      { project },
    );
    const isSmall = (row?.traces ?? 0) <= few;
    known.set(project, isSmall);
    return isSmall;
  };
}
