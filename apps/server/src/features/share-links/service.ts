import {
  MAX_SHARE_LINKS,
  type SharedValues,
  type ShareLink,
  type ShareLinkDays,
  type TraceRow,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { type ProjectId, readId, type ShareLinkId } from '../../platform/ids.ts';
import { createToken, hashToken } from '../../platform/start/secrets.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { TraceSharing } from '../traces/index.ts';
import {
  countActive,
  deleteShareLink,
  findActive,
  findByToken,
  insertShareLink,
  lockProject,
  type ShareLinkRow,
} from './store.ts';

const DAY_MS = 86_400_000;

/** The trace that a link shows, as its viewers see it. */
export interface OpenedLink {
  readonly project: ShownProject;
  readonly traceId: string;
  readonly values: SharedValues;
  readonly expiresAt: Date;
}

export interface ShareLinksService {
  /** Creates a link. The link's URL cannot be shown again. @throws AppError `not_found`, `too_many_share_links` */
  create(
    actor: Actor,
    of: { readonly project: ShownProject; readonly traceId: string },
    how: { readonly values: SharedValues; readonly days: ShareLinkDays },
  ): Promise<{ readonly shareLink: ShareLink; readonly url: string }>;
  /** Lists the active links of a project or of one trace. */
  list(project: ShownProject, traceId?: string): Promise<ShareLink[]>;
  /** Deletes a link. @throws AppError `not_found` */
  revoke(actor: Actor, projectId: ProjectId, id: string): Promise<void>;
  /** Finds the trace that a link shows. @throws AppError `not_found`, without a difference between unknown, revoked and expired links */
  open(token: string): Promise<OpenedLink>;
}

export function createShareLinksService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly projects: { shown(id: ProjectId): Promise<ShownProject | undefined> };
  readonly traces: Pick<TraceSharing, 'rows'>;
  readonly publicUrl: () => string;
}): ShareLinksService {
  const { clock, audit, projects, traces } = deps;
  const { db } = deps.control;

  const describe = async (project: ShownProject, rows: readonly ShareLinkRow[]): Promise<ShareLink[]> => {
    const shown = await traces.rows(project, [...new Set(rows.map(({ traceId }) => traceId))]);
    return rows.map((row) => describeLink(row, shown.get(row.traceId)));
  };

  return {
    async create(actor, { project, traceId }, { values, days }) {
      const token = createToken();
      const createdAt = clock.now();
      const row = await db.transaction(async (tx) => {
        const owner = await lockProject(tx, project.id);
        if (owner === undefined) throw new AppError('not_found');
        await assertRoom(tx, project.id, traceId, createdAt);
        const id = await insertShareLink(tx, {
          projectId: project.id,
          traceId,
          values,
          tokenHash: hashToken(token),
          createdBy: actor.userId,
          createdAt,
          expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
        });
        const { organizationId, name } = owner;
        // Solo users have no audit log, because no other user can create links to their traces.
        if (organizationId !== null) {
          const target = `${name}, trace ${traceId}, values ${values}, ${days === 1 ? '1 day' : `${days} days`}`;
          await audit.record(tx, { organizationId, action: 'project.trace_shared', actor, target });
        }
        const links = await findActive(tx, { projectId: project.id, traceId, now: createdAt });
        return links.filter((link) => link.id === id);
      });
      const [shareLink] = await describe(project, row);
      if (shareLink === undefined) throw new AppError('not_found');
      return { shareLink, url: `${deps.publicUrl()}/shared/${token}` };
    },
    async list(project, traceId) {
      const of = { projectId: project.id, now: clock.now(), ...(traceId !== undefined && { traceId }) };
      return describe(project, await findActive(db, of));
    },
    revoke: (actor, projectId, given) =>
      db.transaction(async (tx) => {
        const id = readId<ShareLinkId>(given);
        const owner = await lockProject(tx, projectId);
        const gone = id === undefined ? undefined : await deleteShareLink(tx, projectId, id);
        if (owner === undefined || gone === undefined) throw new AppError('not_found');
        const { organizationId, name } = owner;
        if (organizationId === null) return;
        const target = `${name}, trace ${gone.traceId}`;
        await audit.record(tx, { organizationId, action: 'project.share_link_revoked', actor, target });
      }),
    async open(token) {
      const link = await findByToken(db, hashToken(token), clock.now());
      const project = link && (await projects.shown(link.projectId));
      if (link === undefined || project === undefined) throw new AppError('not_found');
      return { project, traceId: link.traceId, values: link.values, expiresAt: link.expiresAt };
    },
  };
}

/** Checks the limits for links per trace and per project. @throws AppError `too_many_share_links` */
async function assertRoom(tx: ControlDb, projectId: ProjectId, traceId: string, now: Date): Promise<void> {
  const { trace: ofTrace, project: ofProject } = MAX_SHARE_LINKS;
  if ((await countActive(tx, { projectId, traceId, now })) >= ofTrace)
    throw buildLimitError(`This trace has ${ofTrace} links. Revoke one of them first.`, ofTrace);
  if ((await countActive(tx, { projectId, now })) >= ofProject)
    throw buildLimitError(
      `This project has ${ofProject} links to its traces. Revoke one of them first.`,
      ofProject,
    );
}

function buildLimitError(message: string, limit: number): AppError {
  return new AppError('too_many_share_links', message, { details: { limit, used: limit } });
}

function describeLink(row: ShareLinkRow, trace: TraceRow | undefined): ShareLink {
  const { createdAt, expiresAt, ...rest } = row;
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    request:
      trace === undefined
        ? null
        : {
            method: trace.request.method,
            path: trace.request.path,
            statusCode: trace.response.statusCode,
            startTime: trace.timing.startTime,
          },
  };
}
