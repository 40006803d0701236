import { randomBytes } from 'node:crypto';
import type { ErrorGroup } from '@throughline/contract';
import { createFakeClock } from '@throughline/testkit';
import { storesOfFile } from '@throughline/testkit/stores';
import { count, eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { errorSplits, projects, users } from '../../../platform/control-store/index.ts';
import { createId, type ProjectId, type UserId } from '../../../platform/ids.ts';
import { FairMutex } from '../../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { NEWEST_FIRST } from '../errors-store.ts';
import { createErrorReader } from '../read-errors.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock(new Date('2026-11-21T12:00:00Z'));
const stores = storesOfFile();

async function addProject(splits: number): Promise<ProjectId> {
  const { db } = stores.control;
  const [id, userId] = [createId<ProjectId>(), createId<UserId>()];
  const now = clock.now();
  await db.insert(users).values({
    ...{ id: userId, name: 'Ada', email: `${userId}@test.example`, passwordHash: '' },
    ...{ emailVerifiedAt: now, createdAt: now },
  });
  await db.insert(projects).values({ id, userId, name: 'p', description: '', createdAt: now });
  const newErrorId = () => randomBytes(16).toString('hex');
  const rows = Array.from({ length: splits }, () => ({ errorId: newErrorId(), firstId: newErrorId() }));
  await db.insert(errorSplits).values(rows.map((row) => ({ ...row, projectId: id, splitAt: now })));
  return id;
}

async function failInTwoFunctions(project: ProjectId, message: string): Promise<void> {
  const at = ((clock.now().getTime() - HOUR_MS) / 1000).toFixed(6);
  const rows = ['taxFor', 'priceOf'].map((name) =>
    [project, at, v7(), 'shop', 'true', message, `TypeError\\n${name}\\nsrc/a.ts`, at].join('\t'),
  );
  const columns = ['project_id', 'start_time', 'id', 'service', 'is_error', 'error_message'];
  await stores.traces.insert(
    'traces',
    [...columns, 'error_place', 'stored_at'],
    Buffer.from(`${rows.join('\n')}\n`),
  );
}

test('at most 500 errors of a project are split; when the list is read again, the server does not look for further errors to split', async () => {
  const id = await addProject(499);
  await failInTwoFunctions(id, 'one');
  await failInTwoFunctions(id, 'two');
  let queries = 0;
  const store: TraceStore = {
    ...stores.traces,
    rows: (row, sql, params) => {
      queries += 1;
      return stores.traces.rows(row, sql, params);
    },
  };
  const reader = createErrorReader({ control: stores.control, store, clock, turns: new FairMutex(1) });
  const list = async () => {
    queries = 0;
    const until = clock.nowMicros();
    const range = { from: until - BigInt(2 * HOUR_MS) * 1000n, until };
    return (await reader.list({ id, shownSince: 0n }, range, NEWEST_FIRST)).errors;
  };
  const messages = (errors: readonly ErrorGroup[]) => errors.map(({ message }) => message).toSorted();
  const split = messages(await list());
  expect([
    ['one', 'one', 'two'],
    ['one', 'two', 'two'],
  ]).toContainEqual(split);
  expect(messages(await list())).toEqual(split);
  expect(queries).toBe(1);
  const [stored] = await stores.control.db
    .select({ splits: count() })
    .from(errorSplits)
    .where(eq(errorSplits.projectId, id));
  expect(stored?.splits).toBe(500);
});
