import { type Funnel, mayDo, routes } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../platform/http/serve.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { setFunnel } from '../analytics/index.ts';
import { hashPassword } from '../auth/index.ts';
import type { Projects } from '../projects/index.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from './logins.ts';
import { requestTraffic } from './shop.ts';
import {
  claimDemo,
  completeDemo,
  deleteDemo,
  findDemo,
  insertMember,
  insertOrganization,
  noteHistoryPlayed,
} from './store.ts';

export { DEMO_LOGINS, DEMO_PASSWORD } from './logins.ts';

export interface Demo {
  /**
   * Creates the workspace when the server starts with the demo for the first time. Returns false if the workspace was removed; it is not
   * created again.
   */
  ensure(): Promise<boolean>;
  /**
   * Calls `use` with the API key that the shop must send with: now, and again whenever the key has changed. Does not call `use` if there is
   * no key.
   */
  followKey(use: (apiKey: string) => void): Promise<void>;
  /**
   * If the shop's project still lacks its history, returns the time at which the history must end. Returns undefined if the project has the
   * history or no longer exists.
   */
  findMissingHistory(): Promise<Date | undefined>;
  /** Records that the shop's project has the whole history. */
  historyPlayed(): Promise<void>;
  register(http: HttpContext): void;
}

export interface DemoDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly projects: Projects;
  /** The demo shop's port; undefined if the server runs without the demo. */
  readonly demoPort: number | undefined;
  /** The URL to which the shop's second process sends its traces. */
  readonly ingestUrl: () => string;
}

export function createDemo(deps: DemoDeps): Demo {
  const { db } = deps.control;
  return {
    async ensure() {
      if ((await findDemo(db)) === undefined) await makeWorkspace(deps);
      return (await findDemo(db))?.organizationId != null;
    },
    async followKey(use) {
      let last: string | undefined;
      const look = async () => {
        const projectId = (await findDemo(db))?.projectId ?? null;
        const apiKey = projectId === null ? undefined : await deps.projects.currentKey(projectId);
        if (apiKey === undefined || apiKey === last) return;
        last = apiKey;
        use(apiKey);
      };
      await look();
      deps.projects.onProjectChanged(() => {
        look().catch((err: unknown) => deps.log.warn({ err }, "the demo's key could not be read"));
      });
    },
    async findMissingHistory() {
      const found = await findDemo(db);
      const isMissing = found !== undefined && found.projectId !== null && found.historyPlayedAt === null;
      return isMissing ? found.createdAt : undefined;
    },
    async historyPlayed() {
      await noteHistoryPlayed(db, deps.clock.now()).catch((err: unknown) =>
        deps.log.warn(
          { err },
          "could not store that the demo's history is complete: the next start sends the history again",
        ),
      );
    },
    register(http) {
      serve(http, routes.demo.traffic, async ({ caller, body }) => ({
        requests: await sendTraffic(deps, caller, body.projectId),
      }));
      serve(http, routes.demo.remove, async ({ caller }) => {
        await removeWorkspace(deps, caller);
        return { success: true as const };
      });
    },
  };
}

/** The steps of the demo project's funnel: the requests with which a visitor of the shop becomes a customer. */
const DEMO_FUNNEL: Funnel = {
  steps: [
    { method: 'POST', path: '/sessions', name: 'Sign in' },
    { method: 'POST', path: '/cart/items', name: 'Fill the cart' },
    { method: 'POST', path: '/checkout', name: 'Buy' },
  ],
};

async function makeWorkspace({ control, clock, projects }: DemoDeps): Promise<void> {
  const now = clock.now();
  const accounts = await Promise.all(
    DEMO_LOGINS.map(async (login) => ({ login, passwordHash: await hashPassword(DEMO_PASSWORD) })),
  );
  await control.db.transaction(async (tx) => {
    if (!(await claimDemo(tx, now))) return;
    const organizationId = await insertOrganization(tx, { name: 'Demo', slug: 'demo', now });
    for (const { login, passwordHash } of accounts) {
      await insertMember(tx, organizationId, login, { passwordHash, now });
    }
    const projectId = await projects.insertInto(tx, organizationId, {
      name: 'shop',
      description: 'The demo shop: users, posts, a catalogue, and a checkout with a bug in it.',
    });
    await setFunnel(tx, projectId, DEMO_FUNNEL);
    await completeDemo(tx, { organizationId, projectId });
  });
}

async function sendTraffic(deps: DemoDeps, caller: Caller, projectId: string): Promise<number> {
  const project = deps.demoPort === undefined ? undefined : await deps.projects.visible(caller, projectId);
  const apiKey = project === undefined ? undefined : await deps.projects.currentKey(project.id);
  if (deps.demoPort === undefined || project === undefined || apiKey === undefined) {
    throw new AppError('not_found');
  }
  const isShops = await isDemoProject(deps, project.id);
  return requestTraffic(deps.demoPort, isShops ? undefined : { url: deps.ingestUrl(), apiKey });
}

async function isDemoProject(deps: DemoDeps, id: ProjectId): Promise<boolean> {
  return (await findDemo(deps.control.db))?.projectId === id;
}

async function removeWorkspace(deps: DemoDeps, caller: Caller): Promise<void> {
  const { organizationId } = (await findDemo(deps.control.db)) ?? {};
  if (organizationId == null || caller.organization?.id !== organizationId) throw new AppError('not_found');
  if (!mayDo(caller.organization.role, 'demo.remove')) throw new AppError('forbidden');
  const removeTraces = await deps.control.db.transaction(async (tx) => {
    const remove = await deps.projects.removeAllIn(tx, { kind: 'organization', organizationId });
    await deleteDemo(tx, organizationId);
    return remove;
  });
  await removeTraces();
}
