import type { DeletionReceipt } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import type { Caller, ShownProject, VisibleProject } from '../../platform/http/guard.ts';
import type { HttpContext } from '../../platform/http/serve.ts';
import { createId, type OrganizationId, type ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { createSealer } from '../../platform/start/secrets.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { DeletionReceipts } from '../deletions/index.ts';
import { createDeletions } from './deletions.ts';
import { createKeyCache, type IngestProject } from './key-cache.ts';
import { createKey } from './keys.ts';
import { registerProjectRoutes } from './routes.ts';
import { createProjectsService, type TracesOfProjects } from './service.ts';
import { type Account, deleteAccountProjects, findCurrentKey, insertProject } from './store.ts';

export type { IngestProject } from './key-cache.ts';
export type { TracesOfProjects } from './service.ts';

export interface Projects {
  register(http: HttpContext): void;
  visibleTo(caller: Caller): Promise<VisibleProject[]>;
  /** Returns undefined if the project does not exist or the caller must not know that it exists. */
  visible(caller: Caller, id: string): Promise<VisibleProject | undefined>;
  /** Finds public projects, whose traces everyone can see without values. With `id`, finds only that project, if it is public. */
  shownToAnyone(id?: string): Promise<ShownProject[]>;
  /**
   * Returns a project and its `shownSince`: traces that started earlier are not shown. Does not check the caller; undefined if the project
   * was deleted.
   */
  shown(id: ProjectId): Promise<ShownProject | undefined>;
  /** Finds the project that an API key writes to; undefined if the key is unknown or has expired. */
  byApiKey(apiKey: string): Promise<IngestProject | undefined>;
  /** Creates a project in an organization, in the caller's transaction, without checking the plan's limit. */
  insertInto(
    tx: ControlDb,
    organizationId: OrganizationId,
    project: { readonly name: string; readonly description: string },
  ): Promise<ProjectId>;
  /**
   * Returns a project's current key, without a check of the caller; undefined if the project was deleted or the key cannot be decrypted.
   */
  currentKey(id: ProjectId): Promise<string | undefined>;
  /** Records in the audit log that traces of a project were deleted. Ignores the receipt of a deleted project. */
  noteDeletion(receipt: DeletionReceipt, actor: Actor): Promise<void>;
  /** Calls `listener` when a project's keys or settings changed or the project was deleted, on any server. */
  onProjectChanged(listener: (id: string) => void): void;
  /** Discards the cached plans on all servers. Call this after a plan changed. */
  plansChanged(): Promise<void>;
  /**
   * Deletes all projects of an account, with their keys, in the caller's transaction. After the commit, call the returned function to
   * delete the projects' traces.
   */
  removeAllIn(tx: ControlDb, account: Account): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function createProjects(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secretKey: Buffer;
  readonly audit: Audit;
  readonly traces: TracesOfProjects;
  readonly receipts: Pick<DeletionReceipts, 'ofProject' | 'recount'>;
}): Promise<Projects> {
  const { control, clock, traces } = deps;
  const sealer = createSealer(deps.secretKey, 'api-keys');
  const keys = await createKeyCache(control, clock);
  const deletions = createDeletions({ ...deps, deleteTraces: (id) => traces.deleteProject(id) });
  const service = createProjectsService({ ...deps, sealer, keys, deletions });
  return {
    register: (http) => registerProjectRoutes(http, service, traces),
    visibleTo: service.visibleTo,
    visible: service.visible,
    shownToAnyone: service.shownToAnyone,
    shown: service.shown,
    byApiKey: keys.find,
    noteDeletion: service.noteDeletion,
    async insertInto(tx, organizationId, project) {
      const id = createId<ProjectId>();
      const account = { kind: 'organization', organizationId } as const;
      await insertProject(tx, { ...project, id, account, key: createKey(sealer, id), now: clock.now() });
      return id;
    },
    async currentKey(id) {
      const sealed = await findCurrentKey(control.db, id);
      return sealed === undefined ? undefined : sealer.tryOpen(sealed, id);
    },
    onProjectChanged: keys.onChanged,
    plansChanged: keys.plansChanged,
    async removeAllIn(tx, account) {
      const gone = await deleteAccountProjects(tx, account, clock.now());
      // Nobody can read these receipts, because the account is deleted, too. The sweep needs them to find the data that is still on the
      // disk.
      for (const id of gone) await deps.receipts.ofProject(tx, id);
      return async () => {
        await Promise.all(gone.map((id) => keys.changed(id)));
        await deletions.removeTraces(gone);
      };
    },
    close: deletions.close,
  };
}
