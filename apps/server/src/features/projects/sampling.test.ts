import { routes } from '@throughline/contract';
import { aTrace, postBody, refusal, signUp } from '@throughline/testkit';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const calls = routes.projects;
const scene = sceneOfEachTest();

const ask = (sampling: { sampleRate?: number | null; capture?: 'all' | 'structure' | 'off' | null }) =>
  scene.person.client.call(calls.update, { params: { id: scene.project.id }, body: { sampling } });
const send = (traces: readonly unknown[], headers?: Readonly<Record<string, string>>) =>
  postBody(
    scene.server,
    scene.project.apiKey,
    JSON.stringify({ service: { name: 'shop' }, traces }),
    headers,
  );

test.runIf(isThorough())('ingest responses contain no sampling settings until a user sets some', async () => {
  const { project: shown } = await scene.person.client.call(calls.read, { params: { id: scene.project.id } });
  expect(shown.sampling).toEqual({ sampleRate: null, capture: null });
  expect((await send([aTrace()])).body).toEqual({ accepted: 1, rejected: [] });
});

test('services receive changed and removed sampling settings in the next ingest response', async () => {
  await send([aTrace()]);
  const { project: changed } = await ask({ sampleRate: 0.25 });
  expect(changed.sampling).toEqual({ sampleRate: 0.25, capture: null });
  expect((await send([aTrace()])).body).toMatchObject({ accepted: 1, settings: { sampleRate: 0.25 } });
  await ask({ capture: 'off' });
  expect((await send([aTrace()])).body).toMatchObject({ settings: { sampleRate: 0.25, capture: 'off' } });
  await ask({ sampleRate: null, capture: null });
  expect((await send([aTrace()])).body).toEqual({ accepted: 1, rejected: [] });
});

test.runIf(isThorough())(
  'a service that records nothing gets the settings by sending an empty batch',
  async () => {
    await ask({ capture: 'structure' });
    expect((await send([])).body).toEqual({ accepted: 0, rejected: [], settings: { capture: 'structure' } });
  },
);

test.runIf(isThorough())(
  'the response to a batch that is sent again contains the current settings',
  async () => {
    const key = { 'idempotency-key': 'again' };
    const body = [aTrace()];
    await send(body, key);
    await ask({ sampleRate: 0 });
    expect((await send(body, key)).body).toEqual({ accepted: 1, rejected: [], settings: { sampleRate: 0 } });
  },
);

test('services of another project do not receive the settings', async () => {
  await ask({ capture: 'off' });
  const { project: other } = await newcomer(scene.server);
  const reply = await postBody(scene.server, other.apiKey, JSON.stringify({ traces: [] }));
  expect(reply.body).toEqual({ accepted: 0, rejected: [] });
});

test.each(
  pickRows(
    [
      [{ sampleRate: 1.5 }, 'sampleRate must be from 0 to 1'],
      [{ sampleRate: -1 }, 'sampleRate must be from 0 to 1'],
      [{ sampleRate: 'half' }, 'sampleRate must be a number from 0 to 1, or null'],
      [{ capture: 'some' }, 'capture must be all, structure, off or null'],
      ['all', 'sampling must be an object of sampleRate and capture'],
    ],
    { usually: 1 },
  ),
)('the sampling setting %j is rejected', async (sampling, message) => {
  const error = await refusal(ask(sampling as never));
  expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
});

test("users cannot change the sampling settings of another account's project", async () => {
  const stranger = await signUp(scene.server);
  const change = { params: { id: scene.project.id }, body: { sampling: { capture: 'off' as const } } };
  expect(await refusal(stranger.client.call(calls.update, change))).toMatchObject({ status: 404 });
});
