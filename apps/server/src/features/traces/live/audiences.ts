import type { TraceRow } from '@throughline/contract';
import type { VisibleProject } from '../../../platform/http/guard.ts';
import { type Asked, Audience, type AudienceDeps, type AudienceShare } from './audience.ts';
import { RowEvents } from './row-events.ts';
import { createTurns } from './turns.ts';
import type { Viewer } from './viewer.ts';

export interface Audiences {
  /**
   * Sends matching traces to a viewer from now on. If the viewer already has an audience, moves the viewer to the audience for the
   * current projects.
   */
  place(viewer: Viewer, asked: Asked, projects: readonly VisibleProject[]): void;
  leave(viewer: Viewer): void;
  publish(rows: readonly TraceRow[]): void;
  isWatched(projectId: string): boolean;
  /** Reports to the viewers of a project, or to all viewers, that rows were omitted. */
  miss(projectId: string | undefined, count: number): void;
}

/** Groups viewers who receive the same events, so that rows are filtered, formatted and looked up once per group. */
export function createAudiences(deps: AudienceDeps): Audiences {
  const byKey = new Map<string, Audience>();
  const byProject = new Map<string, Set<Audience>>();
  const placeOf = new Map<Viewer, { readonly key: string; readonly audience: Audience }>();
  const share: AudienceShare = { events: new RowEvents(), queuedBytes: 0 };
  // Audiences that query the store take separate turns, so that they do not delay the other audiences.
  const giveTurn = createTurns<Audience>((audience) => audience.takeTurn());
  const giveTurnAtStore = createTurns<Audience>((audience) => audience.takeTurn());

  const open = (key: string, asked: Asked, projects: readonly VisibleProject[]) => {
    const audience = byKey.get(key) ?? new Audience(asked, share, deps);
    audience.renew(projects);
    byKey.set(key, audience);
    for (const id of audience.projectIds) {
      byProject.set(id, (byProject.get(id) ?? new Set()).add(audience));
    }
    return audience;
  };
  const close = (key: string, audience: Audience) => {
    byKey.delete(key);
    audience.close();
    for (const id of audience.projectIds) {
      const watching = byProject.get(id);
      watching?.delete(audience);
      if (watching?.size === 0) byProject.delete(id);
    }
  };
  const leave = (viewer: Viewer) => {
    const place = placeOf.get(viewer);
    if (place === undefined) return;
    placeOf.delete(viewer);
    place.audience.viewers.delete(viewer);
    if (place.audience.viewers.size === 0) close(place.key, place.audience);
  };
  return {
    leave,
    place(viewer, asked, projects) {
      const key = buildKey(asked, projects);
      if (placeOf.get(viewer)?.key !== key) leave(viewer);
      const audience = open(key, asked, projects);
      audience.viewers.add(viewer);
      placeOf.set(viewer, { key, audience });
    },
    isWatched: (projectId) => byProject.has(projectId),
    publish(rows) {
      const watched = Map.groupBy(
        rows.filter(({ projectId }) => byProject.has(projectId)),
        ({ projectId }) => projectId,
      );
      for (const [projectId, ofProject] of watched) {
        for (const audience of byProject.get(projectId) ?? []) {
          audience.queue(ofProject);
          (audience.asksStore ? giveTurnAtStore : giveTurn)(audience);
        }
      }
    },
    miss(projectId, count) {
      const missing = projectId === undefined ? byKey.values() : (byProject.get(projectId) ?? []);
      for (const audience of missing) audience.miss(count);
    },
  };
}

function buildKey({ filters, attributes }: Asked, projects: readonly VisibleProject[]): string {
  const set = Object.entries(filters)
    .filter(([, value]) => value !== undefined && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([projects.map(({ id }) => id).sort(), set, attributes]);
}
