import { routes } from '@throughline/contract';
import { aTrace, join, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { watch } from './fixtures/watch.ts';

// Stops heartbeats, which look up what each viewer can see, so that only notifications can end a feed.
vi.useFakeTimers({ toFake: ['setInterval'] });
afterAll(() => void vi.useRealTimers());

const scene = sceneOfEachTest();

describe('a live feed ends', () => {
  test('when the project is deleted; a feed of all projects continues with the other projects', async () => {
    const { owner } = await makeOrganization(scene.server);
    const [gone, stays] = [await makeProject(owner), await makeProject(owner)];
    const feed = await watch(owner, { projectId: gone.id });
    const all = await watch(owner);
    await owner.client.call(routes.projects.remove, { params: { id: gone.id } });
    expect(await feed.next()).toBeUndefined();
    await sendTraces(scene.server, stays.apiKey, [aTrace()]);
    expect((await all.next())?.projectId).toBe(stays.id);
    all.stop();
  });

  test('when the viewer leaves the organization, is removed from it, or deletes their account', async () => {
    const { owner, organization } = await makeOrganization(scene.server);
    const params = { id: organization.id };
    const leaver = await join(scene.server, owner, organization);
    const removed = await join(scene.server, owner, organization);
    const feeds = await Promise.all([leaver, removed, scene.person].map((person) => watch(person)));
    await leaver.client.call(routes.orgs.leave, { params });
    await owner.client.call(routes.orgs.removeMember, { params: { ...params, userId: removed.user.id } });
    await scene.person.client.call(routes.account.remove, {});
    for (const feed of feeds) expect(await feed.next()).toBeUndefined();
  });
});
