import {
  AUDIT_ACTIONS,
  AUDIT_SORTS,
  type AuditEntry,
  type AuditSort,
  type QueryOf,
  routes,
} from '@throughline/contract';
import {
  createFakeClock,
  join,
  logIn,
  makeOrganization,
  makeProject,
  type Person,
  refusal,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

test('the owner can read the audit log of the last 90 days, newest entries first', async () => {
  const { owner, organization } = await makeOrganization(server);
  const params = { id: organization.id };
  const member = await join(server, owner, organization, 'admin');
  const { id } = await makeProject(member, 'checkout');
  await member.client.call(routes.projects.update, { params: { id }, body: { name: 'payments' } });
  await member.client.call(routes.projects.regenerateApiKey, { params: { id }, body: {} });
  await member.client.call(routes.projects.remove, { params: { id } });
  await owner.client.call(routes.orgs.removeMember, {
    params: { id: organization.id, userId: member.user.id },
  });
  const { entries, nextCursor } = await owner.client.call(routes.audit.list, { params });
  expect(nextCursor).toBeNull();
  const listed = entries.map(({ action, actor, target }) => [action, actor?.email, target]);
  expect(listed).toEqual([
    ['member.removed', owner.email, member.email],
    ['project.deleted', member.email, 'payments'],
    ['project.key_regenerated', member.email, 'payments'],
    ['project.updated', member.email, 'payments'],
    ['project.created', member.email, 'checkout'],
    ['member.signed_in', member.email, null],
    ['member.joined', member.email, member.email],
    ['member.invited', owner.email, member.email],
    ['subscription.plan_changed', owner.email, 'Free Trial to Pro'],
    ['member.signed_in', owner.email, null],
    ['organization.created', owner.email, organization.name],
  ]);
  expect(entries.every((entry) => entry.address === '127.0.0.1')).toBe(true);

  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 4, ...(cursor === undefined ? {} : { cursor }) };
    const page = await owner.client.call(routes.audit.list, { params, query });
    pages.push(...page.entries.map((entry) => entry.id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual(entries.map((entry) => entry.id));
  const wrong = await refusal(owner.client.call(routes.audit.list, { params, query: { cursor: 'x' } }));
  expect(wrong).toMatchObject({ status: 400, details: { fields: [{ path: 'cursor' }] } });

  clock.advance(6 * DAY_MS);
  await owner.client.call(routes.orgs.update, { params, body: { name: 'Later' } });
  clock.advance(86 * DAY_MS);
  const again = await logIn(server, owner.email, owner.password);
  const later = await again.client.call(routes.audit.list, { params });
  expect(later.entries.map((entry) => entry.action)).toEqual(['member.signed_in', 'organization.updated']);
});

test('admins and developers cannot read the audit log', async () => {
  const { owner, organization } = await makeOrganization(server);
  for (const role of ['admin', 'developer'] as const) {
    const member = await join(server, owner, organization, role);
    const list = member.client.call(routes.audit.list, { params: { id: organization.id } });
    expect(await refusal(list)).toMatchObject({ status: 403, code: 'forbidden' });
  }
});

test('a refused action is not recorded in the audit log', async () => {
  const { owner, organization } = await makeOrganization(server);
  const before = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
  const params = { id: organization.id, userId: owner.user.id };
  await refusal(owner.client.call(routes.orgs.removeMember, { params }));
  const after = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
  expect(after.entries).toHaveLength(before.entries.length);
});

/** Reads all pages of the audit log. */
async function readPages(owner: Person, id: string, query: QueryOf<typeof routes.audit.list>) {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await owner.client.call(routes.audit.list, {
      params: { id },
      query: { ...query, ...(cursor === undefined ? {} : { cursor }) },
    });
    entries.push(...page.entries);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

describe('the audit log', () => {
  test('is sorted by each column in both directions, and its pages neither repeat nor skip entries with equal values', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization, 'admin');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await makeProject(member, name);
    const read = (query: QueryOf<typeof routes.audit.list>) => readPages(owner, organization.id, query);
    const usual = await read({});
    const keys: Record<AuditSort, (entry: AuditEntry) => string> = {
      time: ({ id }) => id,
      user: ({ actor }) => actor?.name.toLowerCase() ?? 'throughline',
      action: ({ action }) => AUDIT_ACTIONS[action],
      address: ({ address }) => address ?? '',
    };
    for (const sort of AUDIT_SORTS) {
      for (const order of ['ascending', 'descending'] as const) {
        const sign = order === 'ascending' ? 1 : -1;
        const key = keys[sort];
        // `usual` is sorted by time, newest first, which is the order of entries with equal values.
        const sorted = usual.toSorted((a, b) => sign * (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
        expect([sort, order, await read({ sort, order, limit: 2 })]).toEqual([sort, order, sorted]);
      }
    }
  });

  test('can be searched: each word must be in the user, the action, the target or the address of an entry', async () => {
    const { owner, organization } = await makeOrganization(server);
    for (const name of ['Café 100%', 'Straße_1', 'plain']) await makeProject(owner, name);
    const find = async (search: string) =>
      (await readPages(owner, organization.id, { search, limit: 1 })).map(({ target }) => target);
    expect(await find('CREATED plain')).toEqual(['plain']);
    expect(await find('%')).toEqual(['Café 100%']);
    expect(await find('_')).toEqual(['Straße_1']);
    expect(await find('Café')).toEqual(['Café 100%']);
    expect(await find('CAFÉ')).toEqual(['Café 100%']);
    expect(await find(`${owner.email.toUpperCase()} 127.0.0.1 straße`)).toEqual(['Straße_1']);
    expect(await find('signed in')).toEqual([null]);
    for (const search of ["' OR 1=1 --", '\\', '$1', 'created deleted', '😀']) {
      expect([search, await find(search)]).toEqual([search, []]);
    }
  });

  test('finds and sorts no entries of another organization, and rejects its cursors', async () => {
    const { owner, organization } = await makeOrganization(server);
    const others = await makeOrganization(server);
    await makeProject(others.owner, 'secret plans');
    expect(await readPages(owner, organization.id, { search: 'secret' })).toEqual([]);
    const theirs = await others.owner.client.call(routes.audit.list, {
      params: { id: others.organization.id },
      query: { limit: 1, sort: 'action' },
    });
    const list = owner.client.call(routes.audit.list, {
      params: { id: organization.id },
      query: { sort: 'action', cursor: theirs.nextCursor ?? '' },
    });
    expect(await refusal(list)).toMatchObject({ status: 400, details: { fields: [{ path: 'cursor' }] } });
  });

  test.each([{ sort: 'x' }, { order: 'up' }, { search: 'x'.repeat(201) }, { search: 'a\0b' }])(
    'rejects the query %o',
    async (query) => {
      const { owner, organization } = await makeOrganization(server);
      // @ts-expect-error: some of these values are invalid.
      const list = owner.client.call(routes.audit.list, { params: { id: organization.id }, query });
      expect(await refusal(list)).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );
});
