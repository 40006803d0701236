import {
  MAX_PINNED_VIEWS,
  MAX_SAVED_VIEWS,
  mayDo,
  type SavedView,
  type ViewPage,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlDb, type ControlStore, violatesConstraint } from '../../platform/control-store/index.ts';
import { AppError, refuseField } from '../../platform/http/errors.ts';
import {
  createId,
  type OrganizationId,
  type ProjectId,
  readId,
  type SavedViewId,
  type UserId,
} from '../../platform/ids.ts';
import type { Actor, Audit } from '../audit/index.ts';
import {
  countOwn,
  countPins,
  countShared,
  deletePin,
  deleteUnseen,
  deleteView,
  findOwn,
  findShared,
  findView,
  insertPin,
  insertView,
  lockPerson,
  lockProject,
  updateView,
  type ViewRow,
} from './store.ts';

interface NewSavedView {
  readonly name: string;
  readonly projectId: string | null;
  readonly page: ViewPage;
  readonly params: Readonly<Record<string, string>>;
  readonly shared: boolean;
  readonly pinned: boolean;
}

interface ViewUpdate {
  readonly name?: string | undefined;
  readonly page?: ViewPage | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly shared?: true | undefined;
}

export interface SavedViewsService {
  /** Lists the views that a person owns or pinned. */
  list(userId: UserId): Promise<SavedView[]>;
  listShared(userId: UserId, projectId: ProjectId): Promise<SavedView[]>;
  /** @throws AppError `validation_failed` for a name that exists, `not_found`, `too_many_views` */
  create(actor: Actor, view: NewSavedView): Promise<SavedView>;
  /** @throws AppError `validation_failed`, `forbidden`, `not_found`, `too_many_views` */
  update(actor: Actor, id: string, change: ViewUpdate): Promise<SavedView>;
  /** @throws AppError `forbidden`, `not_found` */
  remove(actor: Actor, id: string): Promise<void>;
  /** Pins a view for the person. @throws AppError `not_found`, `too_many_views` */
  pin(userId: UserId, id: string): Promise<SavedView>;
  /** @throws AppError `not_found` */
  unpin(userId: UserId, id: string): Promise<SavedView>;
}

export function createSavedViewsService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
}): SavedViewsService {
  const { clock, audit } = deps;
  const { db } = deps.control;

  /** @throws AppError `not_found` */
  const find = async (tx: ControlDb, userId: UserId, given: string): Promise<ViewRow> => {
    const id = readId<SavedViewId>(given);
    const row = id && (await findView(tx, userId, id));
    if (row === undefined) throw new AppError('not_found');
    return row;
  };

  const show = async (userId: UserId, id: SavedViewId) => describeView(await find(db, userId, id), userId);

  /** @throws AppError `too_many_views` */
  const addPin = async (tx: ControlDb, userId: UserId, id: SavedViewId) => {
    if ((await countPins(tx, userId)) >= MAX_PINNED_VIEWS)
      throw buildLimitError(
        `You have pinned ${MAX_PINNED_VIEWS} views. Unpin one of them first.`,
        MAX_PINNED_VIEWS,
      );
    await insertPin(tx, userId, id, clock.now());
  };

  const note = async (
    tx: ControlDb,
    actor: Actor,
    action: 'project.view_shared' | 'project.view_changed' | 'project.view_deleted',
    project: { readonly name: string; readonly organizationId: OrganizationId | null },
    name: string,
  ) => {
    const { organizationId } = project;
    // Solo users have no audit log, because nobody else can see their views.
    if (organizationId === null) return;
    await audit.record(tx, { organizationId, action, actor, target: `${project.name}, ${name}` });
  };

  return {
    list: async (userId) => (await findOwn(db, userId)).map((row) => describeView(row, userId)),
    listShared: async (userId, projectId) =>
      (await findShared(db, userId, projectId)).map((row) => describeView(row, userId)),
    async create(actor, { projectId: given, shared, pinned, ...view }) {
      const { userId } = actor;
      const id = createId<SavedViewId>();
      await db
        .transaction(async (tx) => {
          const projectId = given === null ? null : requireProjectId(given);
          const project = projectId === null ? undefined : await requireProject(tx, userId, projectId);
          await lockPerson(tx, userId);
          await deleteUnseen(tx, userId);
          if (shared && projectId !== null) await assertRoomInProject(tx, projectId);
          else await assertRoomOfPerson(tx, userId);
          const ownerId = shared ? null : userId;
          const nameKey = buildNameKey(view.name);
          const createdAt = clock.now();
          await insertView(tx, { ...view, id, ownerId, projectId, createdBy: userId, nameKey, createdAt });
          if (pinned) await addPin(tx, userId, id);
          if (shared && project !== undefined)
            await note(tx, actor, 'project.view_shared', project, view.name);
        })
        .catch(refuseTakenName(shared));
      return show(userId, id);
    },
    async update(actor, given, { shared, ...change }) {
      const { userId } = actor;
      const before = await find(db, userId, given);
      const { id, projectId } = before;
      const isShared = before.ownerId === null;
      const becomesShared = shared === true && !isShared;
      if (!mayEdit(before, userId)) throw new AppError('forbidden');
      if (becomesShared && projectId === null)
        throw refuseField('shared', 'shared: A view of all projects cannot be shared');
      await db
        .transaction(async (tx) => {
          const project = projectId === null ? undefined : await requireProject(tx, userId, projectId);
          if (becomesShared && projectId !== null) await assertRoomInProject(tx, projectId);
          const { name, page, params } = change;
          const columns = {
            ...(name !== undefined && { name, nameKey: buildNameKey(name) }),
            ...(page !== undefined && { page }),
            ...(params !== undefined && { params }),
            ...(becomesShared && { ownerId: null }),
          };
          if (Object.keys(columns).length === 0) return;
          if (!(await updateView(tx, id, columns))) throw new AppError('not_found');
          if (project === undefined || !(isShared || becomesShared)) return;
          const action = becomesShared ? 'project.view_shared' : 'project.view_changed';
          await note(tx, actor, action, project, name ?? before.name);
        })
        .catch(refuseTakenName(isShared || becomesShared));
      return show(userId, id);
    },
    async remove(actor, given) {
      const { userId } = actor;
      await db.transaction(async (tx) => {
        const { id, ownerId, projectId, name, ...row } = await find(tx, userId, given);
        if (!mayEdit({ ownerId, ...row }, userId)) throw new AppError('forbidden');
        if (!(await deleteView(tx, id))) throw new AppError('not_found');
        if (ownerId !== null || projectId === null) return;
        await note(tx, actor, 'project.view_deleted', await requireProject(tx, userId, projectId), name);
      });
    },
    async pin(userId, given) {
      const { id, pinnedAt } = await find(db, userId, given);
      if (pinnedAt === null) {
        await db.transaction(async (tx) => {
          await lockPerson(tx, userId);
          await deleteUnseen(tx, userId);
          // Reads the view again, since another request may have pinned or deleted the view meanwhile.
          if ((await find(tx, userId, given)).pinnedAt === null) await addPin(tx, userId, id);
        });
      }
      return show(userId, id);
    },
    async unpin(userId, given) {
      const { id } = await find(db, userId, given);
      await deletePin(db, userId, id);
      return show(userId, id);
    },
  };
}

/**
 * True if the person can change the view: as the owner of a personal view, as the author of a shared view, or as someone who can edit the
 * project.
 */
function mayEdit(
  { ownerId, createdBy, role }: Pick<ViewRow, 'ownerId' | 'createdBy' | 'role'>,
  userId: UserId,
) {
  return ownerId === userId || createdBy === userId || mayDo(role, 'projects.edit');
}

function describeView(row: ViewRow, userId: UserId): SavedView {
  const { id, name, projectId, page, params } = row;
  return {
    id,
    name,
    projectId,
    page,
    params: { ...params },
    shared: row.ownerId === null,
    createdBy: row.creator,
    editable: mayEdit(row, userId),
    pinnedAt: row.pinnedAt?.toISOString() ?? null,
  };
}

/**
 * Builds the text by which names are compared: ignores letter case, compatibility forms of characters, and the kind and number of spaces.
 */
function buildNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}

/** Parses the id of a project. @throws AppError `not_found` */
function requireProjectId(given: string): ProjectId {
  const id = readId<ProjectId>(given);
  if (id === undefined) throw new AppError('not_found');
  return id;
}

/** Finds a project that the user can see, and locks it. @throws AppError `not_found` */
async function requireProject(tx: ControlDb, userId: UserId, id: ProjectId) {
  const project = await lockProject(tx, userId, id);
  if (project === undefined) throw new AppError('not_found');
  return project;
}

async function assertRoomOfPerson(tx: ControlDb, userId: UserId): Promise<void> {
  const { person: limit } = MAX_SAVED_VIEWS;
  if ((await countOwn(tx, userId)) >= limit)
    throw buildLimitError(`You have ${limit} saved views. Delete one of them first.`, limit);
}

async function assertRoomInProject(tx: ControlDb, projectId: ProjectId): Promise<void> {
  const { project: limit } = MAX_SAVED_VIEWS;
  if ((await countShared(tx, projectId)) >= limit)
    throw buildLimitError(`This project has ${limit} shared views. Delete one of them first.`, limit);
}

function buildLimitError(message: string, limit: number): AppError {
  return new AppError('too_many_views', message, { details: { limit, used: limit } });
}

/**
 * Builds a handler that turns the database's error about a taken name into an error about the field. Used outside of the transaction,
 * because the database's error makes the transaction fail.
 */
function refuseTakenName(shared: boolean) {
  return (error: unknown): never => {
    if (!violatesConstraint(error, 'saved_views_name')) throw error;
    throw refuseField(
      'name',
      shared ? 'This project has a shared view with this name' : 'You have a view with this name',
    );
  };
}
