import { isThorough } from '@throughline/testkit/thorough';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { digestChoices, members, users } from '../../platform/control-store/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import { saveChoice } from './digest-store.ts';
import { type DigestScene, MONDAY, startDigestScene } from './fixtures/scene.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SUBJECT = 'Weekly digest: 23 February to 2 March 2026';

let scene: DigestScene;
beforeAll(async () => {
  scene = await startDigestScene();
});
afterEach(() => scene.reset());
afterAll(() => scene.stop());

/** Adds Ada with a project that had requests. */
async function addAda() {
  const userId = await scene.addUser('Ada');
  const projectId = await scene.addProject({ userId }, 'shop', 1200);
  return { userId, projectId };
}

describe('the digest', () => {
  test('contains the projects with requests, and is not sent if no project had requests', async () => {
    const { userId } = await addAda();
    await scene.addProject({ userId }, 'idle', 0);
    await scene.addProject({ userId: await scene.addUser('Grace') }, 'silent', 0);
    await scene.startOne().run();
    await scene.settle();
    expect(scene.received()).toEqual([`ada@test.example: ${SUBJECT}`]);
    const data = scene.smtp.messages[0]?.data ?? '';
    expect(data).toContain('Requests: 1,200');
    expect(data).not.toContain('idle');
    expect((await scene.weeks()).map(({ isSent }) => isSent).sort()).toEqual([false, true]);
  });

  test('of a member contains the projects of the organization, but no projects of other organizations or users', async () => {
    const organizationId = await scene.addOrganization('engines');
    const others = await scene.addOrganization('looms');
    await scene.addMember(organizationId, await scene.addUser('Ada'));
    await scene.addProject({ organizationId }, 'checkout', 10);
    await scene.addProject({ organizationId: others }, 'secret', 10);
    await scene.addProject({ userId: await scene.addUser('Grace') }, 'private', 10);
    await scene.startOne().run();
    await scene.settle();
    const mail = scene.smtp.messages.find(({ to }) => to === 'ada@test.example');
    expect(mail?.data).toContain('checkout');
    expect(mail?.data).not.toMatch(/secret|private/);
  });

  test('reaches only users who have a confirmed address, have had an account since before the end of the week, and have not turned the digest off', async () => {
    const soon = new Date(MONDAY.getTime() + MINUTE_MS);
    const [off, onAgain] = [await scene.addUser('Off'), await scene.addUser('On-again')];
    const owners = [
      off,
      onAgain,
      await scene.addUser('Unconfirmed', { emailVerifiedAt: null }),
      await scene.addUser('Confirmed-later', { emailVerifiedAt: soon }),
      await scene.addUser('New', { createdAt: soon }),
      await scene.addUser('Demo', { demo: true }),
    ];
    for (const userId of owners) await scene.addProject({ userId }, 'shop', 10);
    await saveChoice(scene.db, { userId: off, isOn: false, changedAt: MONDAY });
    await saveChoice(scene.db, { userId: onAgain, isOn: true, changedAt: soon });
    await addAda();
    scene.clock.advance(HOUR_MS);
    await scene.startOne().run();
    await scene.settle();
    expect(scene.received()).toEqual([`ada@test.example: ${SUBJECT}`]);
  });

  test('leaves out the projects of an organization that the user joined after the end of the week', async () => {
    const organizationId = await scene.addOrganization('engines');
    await scene.addProject({ organizationId }, 'checkout', 10);
    const joinedAt = new Date(MONDAY.getTime() + MINUTE_MS);
    await scene.addMember(organizationId, await scene.addUser('Ada'), joinedAt);
    scene.clock.advance(HOUR_MS);
    await scene.startOne().run();
    await scene.settle();
    expect(scene.received()).toEqual([]);
  });

  test('is sent on Monday at 8:00 UTC, or later in the week if no server ran, but never a week later', async () => {
    await addAda();
    const server = scene.startOne();
    const runAt = async (ms: number) => {
      scene.clock.set(new Date(MONDAY.getTime() + ms));
      await server.run();
      await scene.settle();
      return scene.received().length;
    };
    expect(await runAt(-MINUTE_MS)).toBe(0);
    expect(await runAt(6 * DAY_MS)).toBe(1);
    expect(await runAt(7 * DAY_MS - MINUTE_MS)).toBe(1);
    expect(await runAt(7 * DAY_MS)).toBe(2);
    expect(await runAt(7 * DAY_MS + HOUR_MS)).toBe(2);
    expect(scene.received()).toEqual([
      'ada@test.example: Weekly digest: 2 March to 9 March 2026',
      `ada@test.example: ${SUBJECT}`,
    ]);
  });

  test('is not computed by a server that sends no digests', async () => {
    await addAda();
    await scene.startOne({ isSending: false }).run();
    expect(await scene.weeks()).toEqual([]);
  });
});

describe('each digest is sent once', () => {
  test('if three servers run at the same moment', async () => {
    await addAda();
    for (let count = 0; count < 30; count += 1) {
      const userId = await scene.addUser(`User-${count}`);
      await scene.addProject({ userId }, 'shop', 10);
    }
    await Promise.all([scene.startOne(), scene.startOne(), scene.startOne()].map((one) => one.run()));
    await scene.settle();
    expect(new Set(scene.received()).size).toBe(31);
    expect(scene.received()).toHaveLength(31);
  });

  test('if a server is killed before it marks the week as done, and another server runs', async () => {
    await addAda();
    const mail: Pick<Mailer, 'send'> = { send: () => Promise.reject(new Error('killed')) };
    await scene.startOne({ mail }).run();
    expect(await scene.weeks()).toEqual([]);
    await scene.startOne().run();
    await scene.startOne().run();
    await scene.settle();
    expect(scene.received()).toEqual([`ada@test.example: ${SUBJECT}`]);
  });

  test('if a server is killed after it queued the mail, and another server sends the mail', async () => {
    await addAda();
    await scene.startOne({}, { sends: false }).run();
    expect(scene.received()).toEqual([]);
    await scene.startOne().run();
    await scene.settle({ minutes: 5 });
    expect(scene.received()).toEqual([`ada@test.example: ${SUBJECT}`]);
  });

  test.runIf(isThorough())('if the mail server refuses the mail at first', async () => {
    await addAda();
    scene.smtp.refuse(3);
    await scene.startOne().run();
    await scene.settle({ minutes: 5 });
    expect(scene.received()).toEqual([`ada@test.example: ${SUBJECT}`]);
  });

  test.runIf(isThorough())(
    'or again with the same Message-ID, if the mail server closes the connection before it confirms the mail',
    async () => {
      await addAda();
      scene.smtp.cut(1);
      await scene.startOne().run();
      await scene.settle({ minutes: 5 });
      expect(scene.received()).toHaveLength(2);
      const ids = scene.smtp.messages
        .filter(({ to }) => to === 'ada@test.example')
        .map(({ data }) => /^Message-ID: .*$/im.exec(data)?.[0]);
      expect(new Set(ids).size).toBe(1);
    },
  );

  test('and not to users who delete the account or leave the organization while the digest is computed', async () => {
    const organizationId = await scene.addOrganization('engines');
    const projectId = await scene.addProject({ organizationId }, 'checkout', 10);
    const [leaving, deleting] = [await scene.addUser('Leaving'), await scene.addUser('Deleting')];
    await scene.addMember(organizationId, leaving);
    await scene.addMember(organizationId, deleting);
    const shown = async () => {
      await scene.db.delete(members);
      await scene.db.delete(users);
      await scene.addUser('Leaving', { id: leaving });
      return { id: projectId, shownSince: 0n };
    };
    await scene.startOne({ projects: { shown } }).run();
    await scene.settle();
    expect(scene.received()).toEqual([]);
  });
});

test('a project that cannot be read delays only the digests of its users, by half an hour', async () => {
  const { projectId } = await addAda();
  await scene.addProject({ userId: await scene.addUser('Grace') }, 'other', 10);
  scene.failing.add(projectId);
  const server = scene.startOne();
  await server.run();
  await scene.settle();
  expect(scene.received()).toEqual([`grace@test.example: ${SUBJECT}`]);
  scene.failing.clear();
  await server.run();
  expect(await scene.weeks()).toHaveLength(1);
  scene.clock.advance(30 * MINUTE_MS);
  await server.run();
  await scene.settle();
  expect(scene.received()).toHaveLength(2);
});

test('the rows of earlier weeks are deleted after two months', async () => {
  await addAda();
  const server = scene.startOne();
  await server.run();
  await scene.settle();
  await server.deleteOld(new Date(MONDAY.getTime() + 59 * DAY_MS));
  expect(await scene.weeks()).toHaveLength(1);
  await server.deleteOld(new Date(MONDAY.getTime() + 62 * DAY_MS));
  expect(await scene.weeks()).toEqual([]);
});

test('repeating a choice about the digest keeps the time of the first choice, and a choice of a deleted account is not stored', async () => {
  const { userId } = await addAda();
  await saveChoice(scene.db, { userId, isOn: true, changedAt: MONDAY });
  const later = new Date(MONDAY.getTime() + DAY_MS);
  await saveChoice(scene.db, { userId, isOn: true, changedAt: later });
  expect(await scene.db.select().from(digestChoices)).toEqual([{ userId, isOn: true, changedAt: MONDAY }]);
  await saveChoice(scene.db, { userId, isOn: false, changedAt: later });
  expect(await scene.db.select().from(digestChoices)).toEqual([{ userId, isOn: false, changedAt: later }]);
  await scene.db.delete(users);
  await saveChoice(scene.db, { userId, isOn: true, changedAt: later });
  expect(await scene.db.select().from(digestChoices)).toEqual([]);
});
