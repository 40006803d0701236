import { routes, TEXTS } from '@throughline/contract';
import {
  createFakeClock,
  join,
  logIn,
  makeOrganization,
  makeProject,
  refusal,
  signUp,
  startServer,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const { orgs, auth } = routes;

describe('an organization', () => {
  test('can be created by a solo user, who keeps the solo projects', async () => {
    const person = await signUp(server);
    const { id } = await makeProject(person, 'mine');
    const body = { name: 'Mine Inc', slug: 'mine-inc' };
    const { organization } = await person.client.call(orgs.create, { body });
    expect(organization).toMatchObject({ ...body, role: 'owner', memberCount: 1, projectCount: 0 });
    expect(await person.client.call(orgs.list, {})).toEqual({ organizations: [organization] });
    const { project } = await person.client.call(routes.projects.read, { params: { id } });
    expect(project.organizationId).toBeNull();
    const second = await refusal(person.client.call(orgs.create, { body: { name: 'More', slug: 'more' } }));
    expect(second).toMatchObject({ status: 409, code: 'already_member' });
    expect((await server.anyone.call(orgs.slug, { params: { slug: 'more' } })).slug.available).toBe(true);
  });

  test('can be renamed by its owner, and its new slug must be free', async () => {
    const { owner, organization } = await makeOrganization(server);
    const other = await makeOrganization(server);
    const params = { id: organization.id };
    const renamed = await owner.client.call(orgs.update, { params, body: { name: 'Renamed' } });
    expect(renamed.organization).toMatchObject({ name: 'Renamed', slug: organization.slug });
    const taken = await refusal(
      owner.client.call(orgs.update, { params, body: { slug: other.organization.slug } }),
    );
    expect(taken).toMatchObject({ status: 409, code: 'slug_taken' });
    expect((await owner.client.call(orgs.read, { params })).organization.slug).toBe(organization.slug);
  });
});

describe('members', () => {
  test('are listed with their role and last activity', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization, 'admin');
    const { members } = await member.client.call(orgs.members, { params: { id: organization.id } });
    expect(members).toMatchObject([
      { id: owner.user.id, role: 'owner', isActive: true, user: { email: owner.email } },
      { id: member.user.id, role: 'admin', isActive: true, user: { name: member.user.name } },
    ]);
    expect(Date.parse(members[1]?.lastActiveAt ?? '')).toBeCloseTo(clock.now().getTime(), -4);
  });

  test('are still listed as active after they log out', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization);
    await member.client.call(auth.logout, {});
    const { members } = await owner.client.call(orgs.members, { params: { id: organization.id } });
    const seen = members.find(({ id }) => id === member.user.id);
    expect(seen?.isActive).toBe(true);
    expect(Date.parse(seen?.lastActiveAt ?? '')).toBeCloseTo(clock.now().getTime(), -4);
  });

  test('can get a new role from the owner, with immediate effect, but not the role of owner', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization);
    const params = { id: organization.id, userId: member.user.id };
    expect((await refusal(makeProject(member))).code).toBe('forbidden');
    const { member: changed } = await owner.client.call(orgs.setRole, { params, body: { role: 'admin' } });
    expect(changed.role).toBe('admin');
    await makeProject(member);
    const crowned = await refusal(
      owner.client.call(orgs.setRole, { params, body: { role: 'owner' as never } }),
    );
    expect(crowned).toMatchObject({ status: 400, code: 'validation_failed' });
    const raised = await refusal(member.client.call(orgs.setRole, { params, body: { role: 'developer' } }));
    expect(raised.code).toBe('forbidden');
  });

  test('who are removed lose access immediately and become solo users; the organization keeps their projects', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization, 'admin');
    const { id } = await makeProject(member, 'shared');
    const params = { id: organization.id, userId: member.user.id };
    await owner.client.call(orgs.removeMember, { params });
    expect(await refusal(member.client.call(auth.session, {}))).toMatchObject({ status: 401 });
    const again = await logIn(server, member.email, member.password);
    expect(again.user.userType).toBe('solo');
    expect(await refusal(again.client.call(routes.projects.read, { params: { id } }))).toMatchObject({
      status: 404,
    });
    await makeProject(again, 'own');
    await owner.client.call(routes.projects.read, { params: { id } });
    expect(await refusal(owner.client.call(orgs.removeMember, { params }))).toMatchObject({ status: 404 });
  });

  test('can leave the organization and stay signed in', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization);
    await member.client.call(orgs.leave, { params: { id: organization.id } });
    const session = await member.client.call(auth.session, {});
    expect(session).toMatchObject({ user: { userType: 'solo' }, organization: null });
  });
});

describe('the owner', () => {
  test('cannot leave, be removed or get another role', async () => {
    const { owner, organization } = await makeOrganization(server);
    const params = { id: organization.id, userId: owner.user.id };
    const stays = { status: 409, code: 'owner_stays', message: TEXTS.ownerStays };
    expect(await refusal(owner.client.call(orgs.removeMember, { params }))).toMatchObject(stays);
    expect(await refusal(owner.client.call(orgs.leave, { params }))).toMatchObject(stays);
    const lower = owner.client.call(orgs.setRole, { params, body: { role: 'developer' } });
    expect(await refusal(lower)).toMatchObject(stays);
  });

  test('can transfer the ownership only to a member, and then becomes an admin', async () => {
    const { owner, organization } = await makeOrganization(server);
    const member = await join(server, owner, organization);
    const params = { id: organization.id };
    const outsider = await signUp(server);
    for (const userId of [outsider.user.id, owner.user.id, 'nonsense']) {
      const error = await refusal(owner.client.call(orgs.transferOwnership, { params, body: { userId } }));
      expect(error.code).toBe('not_found');
    }
    const answer = await owner.client.call(orgs.transferOwnership, {
      params,
      body: { userId: member.user.id },
    });
    expect(answer.organization.role).toBe('admin');
    expect((await member.client.call(orgs.read, { params })).organization.role).toBe('owner');
  });

  test('is always exactly one member, even if transfers and departures are concurrent', async () => {
    const { owner, organization } = await makeOrganization(server);
    const members = [await join(server, owner, organization), await join(server, owner, organization)];
    const params = { id: organization.id };
    await Promise.allSettled([
      ...members.map((member) =>
        owner.client.call(orgs.transferOwnership, { params, body: { userId: member.user.id } }),
      ),
      ...members.map((member) => member.client.call(orgs.leave, { params })),
      owner.client.call(orgs.leave, { params }),
    ]);
    const everyone = await Promise.all(
      [owner, ...members].map((person) => person.client.call(orgs.list, {})),
    );
    const roles = everyone.map(({ organizations }) => organizations[0]?.role);
    expect(roles.filter((role) => role === 'owner')).toHaveLength(1);
  });
});
