import { randomBytes } from 'node:crypto';
import { routes } from '@throughline/contract';
import { aTrace, postBody } from '@throughline/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBatch, type Sent } from './fixtures/batches.ts';
import { type Fleet, startFleet } from './fixtures/fleet.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet.stop());

/**
 * Sends batches to both servers while a store goes down and comes back. Then resends each batch that neither server acknowledged with 200.
 */
async function sendThrough(store: { goAway(): Promise<void>; comeBack(): Promise<void> }): Promise<void> {
  const batches = Array.from({ length: 24 }, newBatch);
  const refused: Sent[] = [];
  const sendAll = async (some: readonly Sent[]) => {
    for (const batch of some) {
      const answers = await Promise.all(fleet.urls().map((url) => fleet.send(url, batch)));
      if (answers.includes(200)) fleet.stored.push(...batch.paths);
      else refused.push(batch);
    }
  };
  const sending = Promise.all([0, 1, 2, 3].map((place) => sendAll(batches.slice(place * 4, place * 4 + 4))));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await store.goAway();
  await sending;
  await sendAll(batches.slice(16));
  expect(refused.length).toBeGreaterThanOrEqual(8);
  for (const url of fleet.urls()) expect((await fetch(`${url}/api/health/ready`)).status).toBe(503);
  await store.comeBack();
  for (const batch of refused) await fleet.sendUntilStored(batch);
  await fleet.checkAll();
  await fleet.awaitExactMonth(0);
}

test('while ClickHouse is down, servers refuse batches; acknowledged batches are stored, and refused batches are accepted when they are sent again', async () => {
  await sendThrough(fleet.clickhouse);
});

test("while PostgreSQL is down, servers refuse batches; afterwards the servers receive each other's notifications again", async () => {
  await sendThrough(fleet.postgres);
  const { shown, stop } = await fleet.watch(fleet.server(1).url);
  const isShown = async () => {
    const batch = newBatch();
    await fleet.sendUntilStored(batch);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return batch.paths.every((path) => shown.includes(path));
  };
  await expect.poll(isShown, { timeout: 60_000 }).toBe(true);
  await stop();
  // An API key that was replaced at one server must no longer work at the other server, which shows that the notification arrived.
  const { apiKey } = await fleet
    .at(fleet.server(0).url)
    .call(routes.projects.regenerateApiKey, { params: { id: fleet.projectId }, body: {} });
  expect(apiKey).not.toBe(fleet.apiKey);
  const withOld = async () => (await postBody(fleet.server(1), fleet.apiKey, '{"traces":[]}')).status;
  await expect.poll(withOld).toBe(401);
  fleet.apiKey = apiKey;
  await fleet.checkAll();
});

test('an export that an unavailable store interrupted is recognizable as incomplete, and a later export is complete', async () => {
  const { url } = fleet.server(0);
  // Makes the export larger than the network buffers of the server and the client together.
  const filler = randomBytes(30_000).toString('base64');
  for (let batch = 0; batch < 8; batch += 1) {
    const paths = Array.from({ length: 100 }, (_trace, index) => `/large/${batch}/${index}`);
    const traces = paths.map((path) => aTrace({ request: { method: 'GET', path, body: filler } }));
    expect((await postBody({ url }, fleet.apiKey, JSON.stringify({ traces }))).status).toBe(200);
    fleet.stored.push(...paths);
  }
  const open = () => fleet.at(url).open(routes.traces.export, { query: { projectId: fleet.projectId } });
  const reader = (await open()).body?.getReader();
  await reader?.read();
  await fleet.clickhouse.goAway();
  const readOn = async () => {
    while ((await reader?.read())?.done === false);
  };
  await expect(readOn()).rejects.toThrow();
  await fleet.clickhouse.comeBack();
  const lines = async () => (await (await open()).text()).split('\n').length - 1;
  await expect.poll(lines, { timeout: 30_000 }).toBe(fleet.stored.length);
});
