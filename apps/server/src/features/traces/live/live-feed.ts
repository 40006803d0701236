import type { TraceRow } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../platform/http/errors.ts';
import type { Caller, VisibleProject } from '../../../platform/http/guard.ts';
import type { SessionId } from '../../../platform/ids.ts';
import type { Asked, AudienceDeps } from './audience.ts';
import { createAudiences } from './audiences.ts';
import { createFeedLimits, type OpenFeed } from './feed-limits.ts';
import { startStream, Viewer } from './viewer.ts';

const HEARTBEAT_MS = 15_000;

export interface LiveFeedDeps extends AudienceDeps {
  readonly onSessionEnded: (id: SessionId, listener: () => void) => () => void;
}

export interface Viewing extends Asked {
  readonly caller: Caller;
  /** The project to watch; undefined for all projects that the caller can see. */
  readonly projectId: string | undefined;
  /** Returns the projects that the viewer can currently see. @throws AppError if there are none */
  readonly visible: () => Promise<readonly VisibleProject[]>;
  readonly reply: FastifyReply;
}

/**
 * Sends new traces as server-sent events: `trace` with a list row, `gap` with an upper bound of the number of omitted rows, and a comment
 * as a heartbeat.
 */
export interface LiveFeed {
  /** @throws AppError `too_many_feeds`, `overloaded` */
  open(viewing: Viewing): Promise<void>;
  publish(rows: readonly TraceRow[]): void;
  isWatched(projectId: string): boolean;
  /** Reports to the viewers of a project, or to all viewers, that new traces were omitted. */
  missed(projectId: string | undefined, count: number): void;
  /** Ends the feeds of users who can no longer see the project. */
  projectChanged(id: string): void;
  count(): number;
  /** Ends all streams, so that the server can shut down. */
  close(): void;
}

/** A viewer and the request that opened the feed. */
interface Watching {
  readonly viewer: Viewer;
  readonly viewing: Viewing;
  projects: readonly VisibleProject[];
}

export function createLiveFeed(deps: LiveFeedDeps): LiveFeed {
  const audiences = createAudiences(deps);
  const limits = createFeedLimits();
  const watchers = new Set<Watching>();
  let closed = false;

  /** Looks up again which projects each viewer can see, once per session and watched project. */
  const renew = async (some: readonly Watching[]) => {
    const known = new Map<string, readonly VisibleProject[] | 'nothing'>();
    for (const watching of some) {
      if (closed) return;
      const { viewing, viewer } = watching;
      const key = `${viewing.caller.sessionId} ${viewing.projectId ?? ''}`;
      const visible = known.get(key) ?? (await lookUp(viewing));
      if (visible === 'unknown' || !watchers.has(watching)) continue;
      known.set(key, visible);
      if (visible === 'nothing') viewer.end();
      else show(watching, visible);
    }
  };
  const lookUp = async (viewing: Viewing): Promise<readonly VisibleProject[] | 'nothing' | 'unknown'> => {
    try {
      return await viewing.visible();
    } catch (error) {
      if (error instanceof AppError) return 'nothing';
      // The lookup is repeated at the next heartbeat.
      deps.log.warn({ err: error }, 'a live feed could not check again which projects its viewer can see');
      return 'unknown';
    }
  };
  const show = (watching: Watching, projects: readonly VisibleProject[]) => {
    watching.projects = projects;
    audiences.place(watching.viewer, watching.viewing, projects);
  };

  let isRenewing = false;
  const heartbeat = setInterval(() => {
    for (const { viewer } of watchers) viewer.beat();
    if (isRenewing) return;
    isRenewing = true;
    void renew([...watchers]).finally(() => {
      isRenewing = false;
    });
  }, HEARTBEAT_MS).unref();

  return {
    async open(viewing) {
      const { caller, reply } = viewing;
      if (closed) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 });
      let watching: Watching | undefined;
      let ended = false;
      const feed: OpenFeed = {
        sessionId: caller.sessionId,
        accountId: caller.organization?.id ?? caller.userId,
        end() {
          ended = true;
          watching?.viewer.end();
        },
      };
      limits.admit(feed);
      const stopListening = deps.onSessionEnded(caller.sessionId, feed.end);
      // Also runs if the client disconnects before the feed is open, or if the feed is rejected.
      reply.raw.once('close', () => {
        limits.release(feed);
        stopListening();
        if (watching === undefined) return;
        watchers.delete(watching);
        audiences.leave(watching.viewer);
      });
      const projects = await viewing.visible();
      if (reply.raw.destroyed) {
        reply.hijack();
        return;
      }
      watching = { viewer: new Viewer(startStream(reply)), viewing, projects };
      watchers.add(watching);
      show(watching, projects);
      if (ended || closed) watching.viewer.end();
    },
    publish: audiences.publish,
    isWatched: audiences.isWatched,
    missed: audiences.miss,
    projectChanged(id) {
      void renew([...watchers].filter(({ projects }) => projects.some((project) => project.id === id)));
    },
    count: limits.count,
    close() {
      closed = true;
      clearInterval(heartbeat);
      for (const { viewer } of watchers) viewer.end();
    },
  };
}
