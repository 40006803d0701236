import type { DeletionReceipt } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import type { Caller, ShownProject, VisibleProject } from '../../platform/http/guard.ts';
import type { HttpContext } from '../../platform/http/serve.ts';
import { newId, type OrganizationId, type ProjectId } from '../../platform/ids.ts';
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
  /** Undefined: not there, or not to be known of. */
  visible(caller: Caller, id: string): Promise<VisibleProject | undefined>;
  /** Public projects, whose traces are shown without values; with `id`, that one if it is public. */
  shownToAnyone(id?: string): Promise<ShownProject[]>;
  /** Finds the part of a project that is shown now, without a check of the caller; undefined if the project is gone. */
  shown(id: ProjectId): Promise<ShownProject | undefined>;
  /** Where a key writes; undefined for one that is unknown or has ended. */
  byApiKey(apiKey: string): Promise<IngestProject | undefined>;
  /** A project in an organization, made with it in one transaction; the plan's limit is not asked. */
  insertInto(
    tx: ControlDb,
    organizationId: OrganizationId,
    project: { readonly name: string; readonly description: string },
  ): Promise<ProjectId>;
  /** A project's current key, without a check of the caller; undefined if the project is gone or the key cannot be read. */
  currentKey(id: ProjectId): Promise<string | undefined>;
  /** Notes in the audit log what was deleted of a project that stays. */
  noteDeletion(receipt: DeletionReceipt, actor: Actor): Promise<void>;
  /** Calls `listener` whenever a project's keys or settings have changed, or it is gone, on whichever server. */
  onProjectChanged(listener: (id: string) => void): void;
  /** Discards the cached plans on every server after a change. */
  plansChanged(): Promise<void>;
  /** Removes all projects of an account with their keys, in the caller's transaction; what is returned removes their traces, once that is committed. */
  removeAllIn(tx: ControlDb, account: Account): Promise<() => Promise<void>>;
  close(): void;
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
      const id = newId<ProjectId>();
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
      // Nobody can read these; they see to it that the bytes go.
      for (const id of gone) await deps.receipts.ofProject(tx, id);
      return async () => {
        await Promise.all(gone.map((id) => keys.changed(id)));
        await deletions.removeTraces(gone);
      };
    },
    close: deletions.close,
  };
}
