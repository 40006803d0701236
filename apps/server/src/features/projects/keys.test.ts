import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock, putControlStore, startPostgres, type TestPostgres } from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ControlStore,
  openControlStore,
  subscriptions,
  users,
} from '../../platform/control-store/index.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { createId, type ProjectId, type SessionId, type UserId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createSealer } from '../../platform/start/secrets.ts';
import { createAudit } from '../audit/index.ts';
import type { DeletionReceipts } from '../deletions/index.ts';
import { createDeletions, type Deletions } from './deletions.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';
import { createProjectsService, type ProjectsService, type TracesOfProjects } from './service.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
const log = createLog('silent');
const actor = { userId: createId<UserId>(), address: '127.0.0.1' };
/** The projects whose traces the service deleted. */
const deleted: ProjectId[] = [];
const traces: TracesOfProjects = {
  totals: async () => new Map(),
  stats: async () => ({ totalTraces: 0, successRate: null, errorCount: 0, avgDuration: null }),
  deleteProject: async (id) => void deleted.push(id),
};

/** Row counts of a receipt. All are zero, because this test has no trace store. */
const NONE = {
  traces: 0,
  steps: 0,
  spans: 0,
  requestFigures: 0,
  userFigures: 0,
  stepFigures: 0,
  callerFigures: 0,
  figureHours: 0,
  sources: 0,
  batches: 0,
};
const receipts: Pick<DeletionReceipts, 'ofProject' | 'recount'> = {
  ofProject: async () => randomUUID(),
  recount: async (id) => ({
    id,
    what: 'project',
    projectId: id,
    project: 'p',
    subject: null,
    requestedAt: clock.now().toISOString(),
    before: NONE,
    after: NONE,
    goneAt: null,
  }),
};

interface Server {
  readonly control: ControlStore;
  readonly keys: KeyCache;
  readonly deletions: Deletions;
  readonly projects: ProjectsService;
}

let postgres: TestPostgres;
let folder: string;
const servers: Server[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), 'throughline-keys-'));
  await putControlStore(folder);
});
afterAll(async () => {
  for (const { control, deletions } of servers) {
    await deletions.close();
    await control.close();
  }
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startOn(databaseUrl: string | undefined): Promise<Server> {
  const control = await openControlStore({ databaseUrl, dataDir: folder });
  const keys = await createKeyCache(control, clock);
  const deletions = createDeletions({ control, clock, log, deleteTraces: traces.deleteProject });
  const sealer = createSealer(Buffer.alloc(32, 1), 'api-keys');
  const audit = createAudit({ control, clock, log });
  await audit.close();
  const server = {
    control,
    keys,
    deletions,
    projects: createProjectsService({ control, clock, sealer, keys, deletions, audit, traces, receipts }),
  };
  servers.push(server);
  return server;
}

async function somebody({ control }: Server): Promise<Caller> {
  const userId = createId<UserId>();
  const email = `${userId}@test.example`;
  await control.db
    .insert(users)
    .values({ id: userId, name: 'A', email, passwordHash: 'x', createdAt: clock.now() });
  await control.db.insert(subscriptions).values({
    id: randomUUID(),
    userId,
    plan: 'free_trial',
    status: 'trialing',
    currentPeriodStart: clock.now(),
    currentPeriodEnd: new Date(clock.now().getTime() + 7 * 24 * HOUR_MS),
    anchorAt: clock.now(),
    accessEndsAt: new Date(clock.now().getTime() + 7 * 24 * HOUR_MS),
  });
  const sessionId = createId<SessionId>();
  return {
    userId,
    email,
    sessionId,
    authenticatedAt: clock.now(),
    userType: 'solo',
    organization: null,
  };
}

async function aProject(server: Server) {
  const caller = await somebody(server);
  const { id } = await server.projects.create(caller, { name: 'shop', description: '' }, actor);
  const apiKey = await server.projects.apiKey(caller, id as ProjectId);
  return { caller, id: id as ProjectId, apiKey };
}

const places = {
  'one server on PGlite': async () => {
    const server = await startOn(undefined);
    return [server, server] as const;
  },
  'two servers on PostgreSQL': async () => {
    const url = await postgres.createDatabase('keys');
    return [await startOn(url), await startOn(url)] as const;
  },
};

describe.each(Object.entries(places))('with %s', (_name, start) => {
  let here: Server;
  let there: Server;
  beforeAll(async () => {
    [here, there] = await start();
  });

  /**
   * Waits until the other server no longer accepts the key. Notifications reach that server within moments; otherwise the test times out.
   */
  const ended = async (apiKey: string) => {
    while ((await there.keys.find(apiKey)) !== undefined) await new Promise((done) => setTimeout(done, 5));
  };

  test('an API key finds its project and the settings for ingest', async () => {
    const { id, apiKey, caller } = await aProject(here);
    expect(await there.keys.find(apiKey)).toEqual({
      projectId: id,
      accountId: caller.userId,
      plan: 'free_trial',
      kind: 'solo',
      accessEndsAt: new Date(clock.now().getTime() + 7 * 24 * HOUR_MS),
      periodAnchor: clock.now(),
    });
  });

  test.each([
    '',
    'tl_',
    'x'.repeat(43),
    `tl_${'a'.repeat(40)}`,
    `tl_${'a'.repeat(39)}'`,
    `tl_${'a'.repeat(4000)}`,
  ])('the malformed or unknown key %j finds no project', async (apiKey) => {
    expect(await there.keys.find(apiKey)).toBeUndefined();
  });

  test('when a key is regenerated without a grace period, the old key stops working immediately', async () => {
    const { id, apiKey } = await aProject(here);
    expect(await there.keys.find(apiKey)).toMatchObject({ projectId: id });
    const newKey = await here.projects.regenerateKey(id, 0, actor);
    expect(await here.keys.find(apiKey)).toBeUndefined();
    await ended(apiKey);
    expect(await there.keys.find(newKey)).toMatchObject({ projectId: id });
  });

  test('the old key works until the end of its grace period, in addition to the new key', async () => {
    const { id, apiKey, caller } = await aProject(here);
    const newKey = await here.projects.regenerateKey(id, 2, actor);
    expect(await here.projects.apiKey(caller, id)).toBe(newKey);
    clock.advance(2 * HOUR_MS - 1);
    expect(await here.keys.find(apiKey)).toMatchObject({ projectId: id });
    clock.advance(1);
    expect(await here.keys.find(apiKey)).toBeUndefined();
    expect(await here.keys.find(newKey)).toMatchObject({ projectId: id });
  });

  test('regenerating a key without a grace period ends the grace period of an older key', async () => {
    const { id, apiKey } = await aProject(here);
    const second = await here.projects.regenerateKey(id, 24, actor);
    const third = await here.projects.regenerateKey(id, 0, actor);
    expect(await here.keys.find(apiKey)).toBeUndefined();
    expect(await here.keys.find(second)).toBeUndefined();
    expect(await here.keys.find(third)).toMatchObject({ projectId: id });
  });

  test('after concurrent regenerations of a key, exactly one key works: the key that the project shows', async () => {
    const { id, caller } = await aProject(here);
    const made = await Promise.all(
      [0, 0, 0, 0].map((grace) => here.projects.regenerateKey(id, grace, actor)),
    );
    const shown = await here.projects.apiKey(caller, id);
    const working = [];
    for (const key of made) if ((await here.keys.find(key)) !== undefined) working.push(key);
    expect(working).toEqual([shown]);
  });

  test("a deleted project's keys stop working, and the project's traces are deleted again a minute later, so that late traces are deleted, too", async () => {
    const { id, apiKey } = await aProject(here);
    expect(await there.keys.find(apiKey)).toMatchObject({ projectId: id });
    await here.projects.remove(id, actor);
    await ended(apiKey);
    expect(deleted.filter((one) => one === id)).toHaveLength(1);
    await here.deletions.sweep();
    expect(deleted.filter((one) => one === id)).toHaveLength(1);
    clock.advance(60_001);
    await here.deletions.sweep();
    await here.deletions.sweep();
    expect(deleted.filter((one) => one === id)).toHaveLength(2);
  });
});
