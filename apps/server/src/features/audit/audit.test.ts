import { routes } from '@throughline/contract';
import {
  createFakeClock,
  join,
  logIn,
  makeOrganization,
  makeProject,
  refusal,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

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
