import { type BodyOf, routes } from '@throughline/contract';
import { aTrace, join, makeProject, type Person, refusal, sendTraces, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { NO_RATE, startErrorScene } from './fixtures/error-scene.ts';

const file = serverOfFile();

/** A project with one error, which the owner, an admin and a developer see. */
async function aScene() {
  const scene = await startErrorScene(file.server);
  await scene.send(NO_RATE(1));
  const id = (await scene.list())[0]?.id ?? '';
  const [admin, developer] = [
    await join(file.server, scene.person, scene.organization, 'admin'),
    await join(file.server, scene.person, scene.organization, 'developer'),
  ];
  const params = { id: scene.project.id, errorId: id };
  const updateAs = async (person: Person, body: BodyOf<typeof routes.errors.update>) =>
    (await person.client.call(routes.errors.update, { params, body })).error;
  return { ...scene, id, params, admin, developer, updateAs };
}

describe('the assignee of an error', () => {
  test('is set by any member, shown in the list and in the detail, and cleared', async () => {
    const { id, person, developer, updateAs, list, read } = await aScene();
    const assignee = { id: person.user.id, name: person.user.name };
    expect(await updateAs(developer, { assignee: person.user.id })).toMatchObject({ assignee });
    expect(await list()).toMatchObject([{ id, assignee, state: 'new', changed: null }]);
    expect((await read(id)).error).toMatchObject({ assignee });
    expect(await updateAs(developer, { state: 'ignored', note: 'known' })).toMatchObject({ assignee });
    expect(await updateAs(person, { assignee: null })).toMatchObject({
      assignee: null,
      state: 'ignored',
      note: 'known',
    });
  });

  test.runIf(isThorough())('is chosen from the users who can see the project', async () => {
    const { id, person, admin, developer, read } = await aScene();
    const { assignable } = await read(id);
    expect(assignable.map(({ email }) => email).sort()).toEqual(
      [person.email, admin.email, developer.email].sort(),
    );
    const solo = await signUp(file.server);
    const own = await makeProject(solo);
    await sendTraces(file.server, own.apiKey, [aTrace({ response: { statusCode: 500 } })]);
    const { errors } = await solo.client.call(routes.errors.list, { params: { id: own.id }, query: {} });
    const params = { id: own.id, errorId: errors[0]?.id ?? '' };
    const detail = await solo.client.call(routes.errors.read, { params, query: {} });
    expect(detail.detail.assignable).toMatchObject([{ id: solo.user.id }]);
    const body = { assignee: solo.user.id };
    const { error } = await solo.client.call(routes.errors.update, { params, body });
    expect(error.assignee?.id).toBe(solo.user.id);
    const other = { assignee: person.user.id };
    expect(await refusal(solo.client.call(routes.errors.update, { params, body: other }))).toMatchObject({
      status: 404,
    });
  });

  test('cannot be a user without access to the project', async () => {
    const { params, person, list, listAudit } = await aScene();
    const stranger = await signUp(file.server);
    for (const assignee of [stranger.user.id, crypto.randomUUID(), '', 'me', "' OR 1=1 --"]) {
      const call = person.client.call(routes.errors.update, { params, body: { assignee, note: 'x' } });
      expect(await refusal(call), assignee).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(await list()).toMatchObject([{ assignee: null, note: '' }]);
    expect(await listAudit()).toEqual([]);
  });

  test.runIf(isThorough())('is cleared when the member leaves or is removed', async () => {
    const { organization, person, admin, developer, updateAs, list, send } = await aScene();
    await updateAs(person, { assignee: developer.user.id, note: 'stays' });
    await developer.client.call(routes.orgs.leave, { params: { id: organization.id } });
    expect(await list()).toMatchObject([{ assignee: null, note: 'stays' }]);
    await send({ message: 'timed out' });
    await updateAs(person, { assignee: admin.user.id });
    await person.client.call(routes.orgs.removeMember, {
      params: { id: organization.id, userId: admin.user.id },
    });
    expect((await list()).map(({ assignee }) => assignee)).toEqual([null, null]);
  });

  test.runIf(isThorough())(
    'filters the list: each member finds the errors that are assigned to them',
    async () => {
      const { id, params, person, developer, send, updateAs } = await aScene();
      await send({ message: 'timed out' });
      const listErrors = async (member: Person, state: 'open' | 'all' = 'open') => {
        const query = { assigned: 'me', state } as const;
        const { errors } = await member.client.call(routes.errors.list, { params, query });
        return errors.map((error) => error.id);
      };
      expect(await listErrors(person)).toEqual([]);
      await updateAs(person, { assignee: developer.user.id });
      expect(await listErrors(person)).toEqual([]);
      expect(await listErrors(developer)).toEqual([id]);
      await updateAs(person, { state: 'resolved' });
      expect(await listErrors(developer)).toEqual([]);
      expect(await listErrors(developer, 'all')).toEqual([id]);
      // biome-ignore lint/suspicious/noExplicitAny: the test sends an invalid word on purpose
      const wrong = person.client.call(routes.errors.list, { params, query: { assigned: 'you' as any } });
      expect(await refusal(wrong)).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );

  test('is not shown to public viewers, who see no errors at all', async () => {
    const { id, params, person, updateAs } = await aScene();
    await updateAs(person, { assignee: person.user.id });
    await person.client.call(routes.projects.update, {
      params: { id: params.id },
      body: { public: true },
    });
    const { anyone } = file.server;
    for (const call of [
      anyone.call(routes.errors.list, { params, query: {} }),
      anyone.call(routes.errors.read, { params, query: {} }),
    ])
      expect((await refusal(call)).status).toBe(401);
    const stranger = await signUp(file.server);
    const strangers = stranger.client.call(routes.errors.read, {
      params: { ...params, errorId: id },
      query: {},
    });
    expect(await refusal(strangers)).toMatchObject({ status: 404 });
  });
});

describe('decisions about an error', () => {
  test.runIf(isThorough())('that are made at the same time are all stored', async () => {
    const { person, admin, developer, updateAs, list } = await aScene();
    await Promise.all([
      updateAs(person, { note: 'a row is missing' }),
      updateAs(admin, { state: 'resolved' }),
      updateAs(developer, { assignee: developer.user.id }),
    ]);
    expect(await list({ state: 'resolved' })).toMatchObject([
      { note: 'a row is missing', assignee: { id: developer.user.id }, changed: { by: admin.user.name } },
    ]);
  });

  test.runIf(isThorough())(
    'are in the audit log with their author, except for decisions that change nothing',
    async () => {
      const { id, project, person, developer, send, updateAs, listAudit } = await aScene();
      const { name } = project.project;
      await send({ ...NO_RATE(2), release: '1.4' });
      await updateAs(developer, { assignee: person.user.id });
      await updateAs(developer, { assignee: person.user.id.toUpperCase() });
      await updateAs(person, { state: 'open', note: '' });
      await updateAs(person, { state: 'resolved', inNextRelease: true, note: 'no row for UK' });
      await updateAs(person, { note: 'no row for UK' });
      await updateAs(developer, { state: 'open', assignee: null });
      await updateAs(developer, { state: 'ignored' });
      const error = `${name}, shop, error ${id}`;
      expect((await listAudit()).toReversed()).toEqual([
        ['project.error_assigned', developer.email, `${error}, to ${person.email}`],
        ['project.error_resolved', person.email, `${error}, in the release after 1.4`],
        ['project.error_noted', person.email, error],
        ['project.error_reopened', developer.email, error],
        ['project.error_unassigned', developer.email, error],
        ['project.error_ignored', developer.email, error],
      ]);
    },
  );

  test.runIf(isThorough())('that change only the note do not change who resolved the error', async () => {
    const { person, developer, updateAs } = await aScene();
    await updateAs(person, { state: 'resolved' });
    expect(await updateAs(developer, { note: 'thanks' })).toMatchObject({
      changed: { by: person.user.name },
    });
  });
});
