import {
  type BodyOf,
  MAX_PINNED_VIEWS,
  MAX_SAVED_VIEWS,
  MAX_VIEW_CHARACTERS,
  MAX_VIEW_NAME,
  type Organization,
  routes,
} from '@throughline/contract';
import { join, makeOrganization, makeProject, type Person, refusal, signUp } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { beforeEach, describe, expect, test } from 'vitest';
import { savedViewPins, savedViews } from '../../platform/control-store/index.ts';

const file = serverOfFile();
const calls = routes.savedViews;
type Body = BodyOf<typeof calls.create>;

let owner: Person;
let organization: Organization;
let projectId: string;
beforeEach(async () => {
  ({ owner, organization } = await makeOrganization(file.server, 'enterprise_plus'));
  projectId = (await makeProject(owner, 'shop')).id;
});

const build = (body: Partial<Body> = {}): Body => ({
  name: 'Failed checkouts',
  projectId,
  page: 'dashboard',
  params: { status: 'error', route: '/checkout' },
  ...body,
});
const create = async (body: Partial<Body> = {}, who = owner) =>
  (await who.client.call(calls.create, { body: build(body) })).view;
const update = async (id: string, body: BodyOf<typeof calls.update>, who = owner) =>
  (await who.client.call(calls.update, { params: { id }, body })).view;
const remove = (id: string, who = owner) => who.client.call(calls.remove, { params: { id } });
const pin = async (id: string, who = owner) => (await who.client.call(calls.pin, { params: { id } })).view;
const listOwn = async (who = owner) => (await who.client.call(calls.list, {})).views;
const listShared = async (who = owner, id = projectId) =>
  (await who.client.call(calls.listOfProject, { params: { id } })).views;
const joinAs = (role: 'admin' | 'developer') => join(file.server, owner, organization, role);
const takenName = { code: 'validation_failed', details: { fields: [{ path: 'name' }] } };

describe('a personal view', () => {
  test('is listed only to its owner, sorted by name and with its filters, and no one else can change, delete or pin it', async () => {
    const later = await create({ name: 'slow' });
    const made = await create({ name: 'Errors of today', params: { status: 'error', last: '24h' } });
    expect(made).toMatchObject({
      name: 'Errors of today',
      projectId,
      page: 'dashboard',
      params: { status: 'error', last: '24h' },
      shared: false,
      createdBy: owner.user.name,
      editable: true,
      pinnedAt: null,
    });
    expect(await listOwn()).toEqual([made, later]);
    const colleague = await joinAs('admin');
    expect(await listOwn(colleague)).toEqual([]);
    expect(await listShared(colleague)).toEqual([]);
    for (const call of [
      () => update(made.id, { name: 'x' }, colleague),
      () => remove(made.id, colleague),
      () => pin(made.id, colleague),
    ])
      expect(await refusal(call())).toMatchObject({ status: 404 });
  });

  test('can be saved for all projects only on the page Raw Traces, and such a view cannot be shared', async () => {
    const view = await create({ projectId: null, page: 'raw-traces' });
    expect(await listOwn()).toEqual([view]);
    const shared = await refusal(create({ projectId: null, page: 'raw-traces', shared: true }));
    expect(shared.details?.fields).toMatchObject([{ path: 'shared' }]);
    expect((await refusal(update(view.id, { shared: true }))).details?.fields).toMatchObject([
      { path: 'shared' },
    ]);
    const ofDashboard = await refusal(create({ projectId: null }));
    expect(ofDashboard.details?.fields).toMatchObject([{ path: 'projectId' }]);
  });

  test('can be renamed, get other filters, and be deleted', async () => {
    const { id } = await create();
    await update(id, { name: '  Failed  payments ' });
    const view = await update(id, { page: 'raw-traces', params: {} });
    expect(view).toMatchObject({ id, name: 'Failed  payments', page: 'raw-traces', params: {} });
    expect(await update(id, {})).toEqual(view);
    await remove(id);
    expect(await listOwn()).toEqual([]);
    expect(await refusal(remove(id))).toMatchObject({ status: 404 });
  });

  test.runIf(isThorough())('becomes a shared view, which cannot become personal again', async () => {
    const { id } = await create();
    expect(await update(id, { shared: true })).toMatchObject({ shared: true, editable: true });
    expect(await listOwn()).toEqual([]);
    expect(await listShared()).toMatchObject([{ id }]);
    const back = { shared: false } as unknown as BodyOf<typeof calls.update>;
    expect(await refusal(update(id, back))).toMatchObject({ code: 'validation_failed' });
  });

  test.runIf(isThorough())(
    'is deleted with the account; a shared view stays, without the name of its author',
    async () => {
      const developer = await joinAs('developer');
      await create({ name: 'mine' }, developer);
      const shared = await create({ name: 'ours', shared: true, pinned: true }, developer);
      await developer.client.call(routes.orgs.leave, { params: { id: organization.id } });
      await developer.client.call(routes.account.remove, {});
      expect(await listShared()).toMatchObject([{ id: shared.id, createdBy: null }]);
      const { db } = file.server.app.control;
      expect((await db.select().from(savedViews)).filter(({ name }) => name === 'mine')).toEqual([]);
      expect((await db.select().from(savedViewPins)).filter(({ viewId }) => viewId === shared.id)).toEqual(
        [],
      );
    },
  );
});

describe('a shared view', () => {
  test('is visible to everyone who can see the project, and can be changed by its author and by project editors', async () => {
    const [author, other, admin] = [
      await joinAs('developer'),
      await joinAs('developer'),
      await joinAs('admin'),
    ];
    const { id } = await create({ shared: true }, author);
    for (const [who, editable] of [
      [author, true],
      [other, false],
      [admin, true],
      [owner, true],
    ] as const)
      expect(await listShared(who)).toMatchObject([
        { id, shared: true, editable, createdBy: author.user.name },
      ]);
    expect(await refusal(update(id, { name: 'x' }, other))).toMatchObject({ status: 403 });
    expect(await refusal(remove(id, other))).toMatchObject({ status: 403 });
    await update(id, { name: 'by its author' }, author);
    await update(id, { name: 'by an admin' }, admin);
    await remove(id, admin);
    expect(await listShared(author)).toEqual([]);
  });

  test('is in the audit log when it is shared, changed and deleted; a personal view is not', async () => {
    const personal = await create({ name: 'mine' });
    await update(personal.id, { name: 'still mine' });
    const { id } = await create({ name: 'ours', shared: true });
    await update(id, { name: 'all of ours' });
    await remove(id);
    await update(personal.id, { shared: true });
    const { entries } = await owner.client.call(routes.audit.list, { params: { id: organization.id } });
    expect(
      entries.flatMap(({ action, target }) => (action.startsWith('project.view') ? [[action, target]] : [])),
    ).toEqual([
      ['project.view_shared', 'shop, still mine'],
      ['project.view_deleted', 'shop, all of ours'],
      ['project.view_changed', 'shop, all of ours'],
      ['project.view_shared', 'shop, ours'],
    ]);
  });

  test.runIf(isThorough())(
    'is deleted with its project, and disappears from the lists of users who pinned it',
    async () => {
      const colleague = await joinAs('developer');
      const { id } = await create({ shared: true });
      await create({ name: 'mine' }, colleague);
      await pin(id, colleague);
      expect(await listOwn(colleague)).toHaveLength(2);
      await owner.client.call(routes.projects.remove, { params: { id: projectId } });
      expect(await listOwn(colleague)).toEqual([]);
      expect(await refusal(pin(id, colleague))).toMatchObject({ status: 404 });
    },
  );

  test('cannot be seen by users who left the organization, and the views and pins of these users no longer count towards their limits', async () => {
    const leaver = await joinAs('developer');
    const { id } = await create({ shared: true });
    for (let count = 1; count < MAX_PINNED_VIEWS; count += 1)
      await create({ name: `mine ${count}`, pinned: true }, leaver);
    await pin(id, leaver);
    await leaver.client.call(routes.orgs.leave, { params: { id: organization.id } });
    expect(await listOwn(leaver)).toEqual([]);
    expect(await refusal(update(id, { name: 'x' }, leaver))).toMatchObject({ status: 404 });
    const own = await makeProject(leaver);
    const all = await create({ projectId: null, page: 'raw-traces', pinned: true }, leaver);
    const pinned = await create({ projectId: own.id, pinned: true }, leaver);
    expect((await listOwn(leaver)).map((view) => view.id).sort()).toEqual([all.id, pinned.id].sort());
  });
});

describe('the name of a saved view', () => {
  test.each(
    pickRows(
      [
        ['in another case', 'failed CHECKOUTS'],
        ['with other spaces', 'Failed\u00a0 checkouts'],
        ['in other Unicode characters', 'Ｆailed checkouts'],
      ],
      { usually: 1 },
    ),
  )('is unique per user and project, even if it is written %s', async (_what, name) => {
    await create();
    expect(await refusal(create({ name }))).toMatchObject(takenName);
    const other = await create({ name: 'other' });
    expect(await refusal(update(other.id, { name }))).toMatchObject(takenName);
    await create({ name, shared: true });
    expect(await refusal(create({ name, shared: true }))).toMatchObject(takenName);
    expect(await refusal(update(other.id, { name, shared: true }))).toMatchObject(takenName);
    await create({ name, projectId: null, page: 'raw-traces' });
    expect(await refusal(create({ name, projectId: null, page: 'raw-traces' }))).toMatchObject(takenName);
    await create({ name, projectId: (await makeProject(owner)).id });
    await create({ name }, await joinAs('developer'));
  });

  test.each(
    pickRows(
      [
        ['empty', '   '],
        ['too long', 'x'.repeat(MAX_VIEW_NAME + 1)],
        ['with a line break', 'a\nb'],
        ['with NUL', 'a\0b'],
      ],
      { usually: 2 },
    ),
  )('that is %s is refused', async (_what, name) => {
    expect(await refusal(create({ name }))).toMatchObject({
      status: 400,
      details: { fields: [{ path: 'name' }] },
    });
  });

  test.each(
    pickRows(
      [
        'x'.repeat(MAX_VIEW_NAME),
        'Ошибки оплаты 💥',
        '失敗した注文',
        "'; drop table saved_views; --",
        '<b>x</b>',
      ],
      { usually: 2 },
    ),
  )('is stored as it was typed: %s', async (name) => {
    expect((await create({ name })).name).toBe(name);
  });

  test.runIf(isThorough())('is stored with composed Unicode characters', async () => {
    expect((await create({ name: 'Cafe\u0301' })).name).toBe('Caf\u00e9');
  });
});

describe('the filters of a saved view', () => {
  test.each<[string, Record<string, string>, string]>(
    pickRows(
      [
        ['that no list has', { stauts: 'error' }, 'params.stauts'],
        ['with the id of the open trace', { trace: 'x' }, 'params.trace'],
        ['without a value', { status: '' }, 'params.status'],
        ['that are too long', { stepName: 'x'.repeat(MAX_VIEW_CHARACTERS) }, 'params'],
        ['with NUL', { q: 'a\0b' }, 'params.q'],
      ],
      { usually: 2 },
    ),
  )(
    'are refused if one of them is invalid (%s), and the error names the filter',
    async (_what, params, path) => {
      expect(await refusal(create({ params }))).toMatchObject({
        status: 400,
        details: { fields: [{ path }] },
      });
    },
  );

  test.runIf(isThorough())('can have the maximum size', async () => {
    const stepName = 'x'.repeat(MAX_VIEW_CHARACTERS - 'stepName'.length);
    expect((await create({ params: { stepName } })).params).toEqual({ stepName });
  });
});

describe('the number of saved views', () => {
  const createMany = async (count: number, body: Partial<Body> = {}) => {
    for (let index = 0; index < count; index += 1) await create({ name: `view ${index}`, ...body });
  };

  test.runIf(isThorough())('of a user has a limit over all projects', async () => {
    await createMany(MAX_SAVED_VIEWS.person - 1);
    await create({ projectId: null, page: 'raw-traces' });
    expect(await refusal(create())).toMatchObject({
      status: 409,
      code: 'too_many_views',
      details: { limit: MAX_SAVED_VIEWS.person },
    });
    await create({ shared: true });
    await create({}, await joinAs('developer'));
  });

  test.runIf(isThorough())(
    'that are shared in a project has a limit, also if a personal view becomes shared',
    async () => {
      await createMany(MAX_SAVED_VIEWS.project, { shared: true });
      const personal = await create({ name: 'personal' });
      for (const call of [() => create({ shared: true }), () => update(personal.id, { shared: true })])
        expect(await refusal(call())).toMatchObject({
          code: 'too_many_views',
          details: { used: MAX_SAVED_VIEWS.project },
        });
    },
  );

  test.runIf(isThorough())(
    'stays within the limit if several views are saved at the same moment, and no two views get the same name',
    async () => {
      await createMany(MAX_SAVED_VIEWS.person - 3);
      const same = await Promise.allSettled(Array.from({ length: 5 }, () => create()));
      expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const others = await Promise.allSettled(
        [1, 2, 3, 4, 5, 6].map((index) => create({ name: `more ${index}` })),
      );
      expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect(await listOwn()).toHaveLength(MAX_SAVED_VIEWS.person);
    },
  );
});

describe('the pin of a view', () => {
  test('applies only to the user who pinned the view, and stays when the view is changed', async () => {
    const colleague = await joinAs('developer');
    const { id } = await create({ shared: true });
    const pinned = await pin(id, colleague);
    expect(pinned.pinnedAt).not.toBeNull();
    expect(await pin(id, colleague)).toEqual(pinned);
    expect(await listOwn(colleague)).toEqual([pinned]);
    expect(await listOwn()).toEqual([]);
    await update(id, { name: 'renamed' });
    expect(await listOwn(colleague)).toEqual([{ ...pinned, name: 'renamed' }]);
    await colleague.client.call(calls.unpin, { params: { id } });
    expect(await listOwn(colleague)).toEqual([]);
    await colleague.client.call(calls.unpin, { params: { id } });
  });

  test(`is refused if the user has ${MAX_PINNED_VIEWS} pins, also in concurrent requests; a new view with a refused pin is not saved`, async () => {
    const ids: string[] = [];
    for (let index = 0; index < MAX_PINNED_VIEWS + 2; index += 1)
      ids.push((await create({ name: `view ${index}` })).id);
    const pinning = await Promise.allSettled(ids.map((id) => pin(id)));
    expect(pinning.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_PINNED_VIEWS);
    expect(await refusal(create({ pinned: true }))).toMatchObject({
      code: 'too_many_views',
      details: { limit: MAX_PINNED_VIEWS },
    });
    expect(await listOwn()).toHaveLength(MAX_PINNED_VIEWS + 2);
  });
});

test('people outside of the organization cannot see, save or pin its views', async () => {
  const stranger = await signUp(file.server);
  const shared = await create({ shared: true });
  for (const call of [
    () => listShared(stranger),
    () => create({}, stranger),
    () => create({ shared: true }, stranger),
    () => update(shared.id, { name: 'x' }, stranger),
    () => remove(shared.id, stranger),
    () => pin(shared.id, stranger),
  ])
    expect(await refusal(call())).toMatchObject({ status: 404 });
  // Public viewers of a project see its traces, but no views.
  await owner.client.call(routes.projects.update, { params: { id: projectId }, body: { public: true } });
  expect(await refusal(listShared(stranger))).toMatchObject({ status: 404 });
  const viewer = file.server.anyone.call(calls.listOfProject, { params: { id: projectId } });
  expect(await refusal(viewer)).toMatchObject({ status: 401 });
});
