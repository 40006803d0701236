import {
  type AuditAction,
  checkLimit,
  type DeletionReceipt,
  MAX_PUBLIC_PROJECTS,
  maskApiKey,
  mayDo,
  PLANS,
  type Project,
  type ProjectStats,
  type PublicProject,
  type Redaction,
  type Sampling,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlDb, type ControlStore, planInForce } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller, ShownProject, VisibleProject } from '../../platform/http/guard.ts';
import { assertWithinLimit } from '../../platform/http/plan-limit-errors.ts';
import { createId, type OrganizationId, type ProjectId, readId } from '../../platform/ids.ts';
import type { Sealer } from '../../platform/start/secrets.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { DeletionReceipts } from '../deletions/index.ts';
import type { Deletions } from './deletions.ts';
import type { KeyCache } from './key-cache.ts';
import { createKey } from './keys.ts';
import {
  type Account,
  countProjects,
  deleteProject,
  findOwner,
  findPlan,
  findPublic,
  findSeen,
  insertProject,
  lockPlan,
  type ProjectRow,
  type PublicProjectRow,
  replaceKey,
  updateProject,
} from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Functions of the traces feature that the projects feature needs. */
export interface TracesOfProjects {
  /** Counts the visible traces by project. The result can omit projects without traces. */
  totals(projects: readonly VisibleProject[]): Promise<ReadonlyMap<ProjectId, { readonly count: number }>>;
  stats(project: VisibleProject): Promise<ProjectStats>;
  deleteProject(id: ProjectId): Promise<void>;
}

export interface ProjectsService {
  visibleTo(caller: Caller): Promise<VisibleProject[]>;
  visible(caller: Caller, id: string): Promise<VisibleProject | undefined>;
  list(caller: Caller, organizationId?: OrganizationId): Promise<Project[]>;
  read(caller: Caller, id: ProjectId): Promise<Project>;
  create(
    caller: Caller,
    project: { name: string; description: string; organizationId?: string | null | undefined },
    actor: Actor,
  ): Promise<Project>;
  update(
    caller: Caller,
    id: ProjectId,
    change: {
      name?: string | undefined;
      description?: string | undefined;
      sampling?: { [K in keyof Sampling]?: Sampling[K] | undefined } | undefined;
      redaction?: Redaction | undefined;
      public?: boolean | undefined;
    },
    actor: Actor,
  ): Promise<Project>;
  listPublic(): Promise<PublicProject[]>;
  readPublic(id: string): Promise<PublicProject>;
  /** Finds public projects, whose traces everyone can see without values. With `id`, finds only that project, if it is public. */
  shownToAnyone(id?: string): Promise<ShownProject[]>;
  /**
   * Returns a project and its `shownSince`: traces that started earlier are not shown. Does not check the caller; undefined if the project
   * was deleted.
   */
  shown(id: ProjectId): Promise<ShownProject | undefined>;
  remove(id: ProjectId, actor: Actor): Promise<DeletionReceipt>;
  apiKey(caller: Caller, id: ProjectId): Promise<string>;
  regenerateKey(id: ProjectId, graceHours: number, actor: Actor): Promise<string>;
  noteDeletion(receipt: DeletionReceipt, actor: Actor): Promise<void>;
}

export function createProjectsService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly keys: KeyCache;
  readonly deletions: Deletions;
  readonly receipts: Pick<DeletionReceipts, 'ofProject' | 'recount'>;
  readonly audit: Audit;
  readonly traces: TracesOfProjects;
}): ProjectsService {
  const { clock, sealer } = deps;
  const { db } = deps.control;

  const shown = (caller: Caller, row: ProjectRow, nowMicros = clock.nowMicros()): VisibleProject => ({
    id: row.id,
    role: row.organizationId === null ? 'solo' : (caller.organization?.role ?? 'developer'),
    shownSince: computeShownSince(row, nowMicros),
  });

  const findPublicOne = async (id: string): Promise<PublicProjectRow[]> => {
    const projectId = readId<ProjectId>(id);
    return projectId === undefined ? [] : findPublic(db, { id: projectId, limit: 1 });
  };

  const describe = async (caller: Caller, rows: readonly ProjectRow[]): Promise<Project[]> => {
    const nowMicros = clock.nowMicros();
    const totals = await deps.traces.totals(rows.map((row) => shown(caller, row, nowMicros)));
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      organizationId: row.organizationId,
      plan: planInForce(row, clock.now()),
      traceCount: totals.get(row.id)?.count ?? 0,
      daysActive: Math.max(0, Math.floor((clock.now().getTime() - row.createdAt.getTime()) / DAY_MS)),
      sampling: { sampleRate: row.sampleRate, capture: row.capture },
      redaction: { keys: row.redactKeys, paths: row.redactPaths },
      public: row.public,
      createdAt: row.createdAt.toISOString(),
      apiKey: maskApiKey(sealer.tryOpen(row.sealedKey, row.id) ?? ''),
    }));
  };

  const findOne = async (caller: Caller, id: ProjectId): Promise<ProjectRow> => {
    const [row] = await findSeen(db, caller, id);
    if (row === undefined) throw new AppError('not_found');
    return row;
  };
  const read = async (caller: Caller, id: ProjectId): Promise<Project> => {
    const [project] = await describe(caller, [await findOne(caller, id)]);
    if (project === undefined) throw new AppError('not_found');
    return project;
  };

  /**
   * Records a change in the audit log of the project's organization. Solo users have no audit log, because nobody else could have made the
   * change.
   */
  const note = async (
    tx: ControlDb,
    id: ProjectId,
    action: AuditAction,
    actor: Actor,
    describe = (project: string) => project,
  ) => {
    const project = await findOwner(tx, id);
    if (project === undefined || project.organizationId === null) return;
    const { organizationId, name } = project;
    await deps.audit.record(tx, { organizationId, action, actor, target: describe(name) });
  };

  return {
    read,
    async visibleTo(caller) {
      const nowMicros = clock.nowMicros();
      return (await findSeen(db, caller)).map((row) => shown(caller, row, nowMicros));
    },
    async visible(caller, id) {
      const projectId = readId<ProjectId>(id);
      const [row] = projectId === undefined ? [] : await findSeen(db, caller, projectId);
      return row === undefined ? undefined : shown(caller, row);
    },
    async list(caller, organizationId) {
      const rows = await findSeen(db, caller);
      return describe(
        caller,
        organizationId === undefined ? rows : rows.filter((row) => row.organizationId === organizationId),
      );
    },
    async create(caller, { name, description, organizationId }, actor) {
      const account = chooseAccount(caller, organizationId ?? undefined);
      const id = createId<ProjectId>();
      const key = createKey(sealer, id);
      await db.transaction(async (tx) => {
        const plan = await lockPlan(tx, account, clock.now());
        const used = await countProjects(tx, account);
        assertWithinLimit(checkLimit('projects', { ...plan, kind: account.kind }, used));
        await insertProject(tx, { id, account, name, description, key, now: clock.now() });
        await note(tx, id, 'project.created', actor);
      });
      return read(caller, id);
    },
    async update(caller, id, { name, description, sampling, redaction, public: open }, actor) {
      const { sampleRate, capture } = sampling ?? {};
      const was = await findOne(caller, id);
      if (open !== undefined && !mayDo(shown(caller, was).role, 'projects.publish')) {
        throw new AppError('forbidden');
      }
      const turned = open !== undefined && open !== was.public;
      await db.transaction(async (tx) => {
        await updateProject(tx, id, {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(sampleRate === undefined ? {} : { sampleRate }),
          ...(capture === undefined ? {} : { capture }),
          ...(redaction === undefined ? {} : { redactKeys: redaction.keys, redactPaths: redaction.paths }),
          ...(turned ? { public: open } : {}),
        });
        if (turned) await note(tx, id, open ? 'project.published' : 'project.unpublished', actor);
        if ([name, description, sampling, redaction].some((part) => part !== undefined)) {
          await note(tx, id, 'project.updated', actor);
        }
      });
      // The key cache contains the settings for sampling and redaction.
      if (sampling !== undefined || redaction !== undefined) await deps.keys.changed(id);
      return read(caller, id);
    },
    async listPublic() {
      return (await findPublic(db, { limit: MAX_PUBLIC_PROJECTS })).map(describePublic);
    },
    async readPublic(id) {
      const [row] = await findPublicOne(id);
      if (row === undefined) throw new AppError('not_found');
      return describePublic(row);
    },
    async shownToAnyone(id) {
      const rows = id === undefined ? await findPublic(db, {}) : await findPublicOne(id);
      const nowMicros = clock.nowMicros();
      return rows.map((row) => ({ id: row.id, shownSince: computeShownSince(row, nowMicros) }));
    },
    async shown(id) {
      const plan = await findPlan(db, id);
      return plan && { id, shownSince: computeShownSince(plan, clock.nowMicros()) };
    },
    async remove(id, actor) {
      const receipt = await db.transaction(async (tx) => {
        await note(tx, id, 'project.deleted', actor);
        const written = await deps.receipts.ofProject(tx, id);
        await deleteProject(tx, id, clock.now());
        return written;
      });
      await deps.keys.changed(id);
      await deps.deletions.removeTraces([id]);
      return deps.receipts.recount(receipt);
    },
    async apiKey(caller, id) {
      const key = sealer.tryOpen((await findOne(caller, id)).sealedKey, id);
      if (key === undefined) throw new AppError('key_unreadable');
      return key;
    },
    async regenerateKey(id, graceHours, actor) {
      const key = createKey(sealer, id);
      const now = clock.now();
      await db.transaction(async (tx) => {
        await replaceKey(tx, id, key, { now, oldEndsAt: new Date(now.getTime() + graceHours * HOUR_MS) });
        await note(tx, id, 'project.key_regenerated', actor);
      });
      await deps.keys.changed(id);
      return key.apiKey;
    },
    async noteDeletion({ what, subject, projectId }, actor) {
      const id = readId<ProjectId>(projectId);
      if (what === 'project' || id === undefined) return;
      await note(db, id, NOTED[what], actor, (project) =>
        subject === null ? project : `${project}, ${what} ${subject}`,
      );
    },
  };
}

const NOTED = {
  trace: 'project.trace_deleted',
  traces: 'project.traces_deleted',
  user: 'project.user_erased',
} as const satisfies Record<string, AuditAction>;

function computeShownSince(row: Pick<ProjectRow, 'plan' | 'accessEndsAt'>, nowMicros: bigint): bigint {
  const plan = planInForce(row, new Date(Number(nowMicros / 1000n)));
  return nowMicros - BigInt(PLANS[plan].retentionHours * HOUR_MS) * 1000n;
}

function describePublic({ id, name, description, createdAt }: PublicProjectRow): PublicProject {
  return { id, name, description, createdAt: createdAt.toISOString() };
}

/** Returns the account that a new project belongs to. The route has already checked that the caller can create a project there. */
function chooseAccount(caller: Caller, organizationId: string | undefined): Account {
  const own = caller.organization;
  if (organizationId !== undefined && organizationId.toLowerCase() !== own?.id)
    throw new AppError('not_found');
  if (own === null) return { kind: 'solo', userId: caller.userId };
  return { kind: 'organization', organizationId: own.id };
}
