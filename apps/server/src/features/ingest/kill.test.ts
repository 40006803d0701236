import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, routes } from '@throughline/contract';
import { aTrace, postBody, spawnServer } from '@throughline/testkit';
import { putStores } from '@throughline/testkit/stores-folder';
import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const KILLS = repetitions({ usually: 6, thoroughly: 50 });
const SENDERS = 4;

/** Sends batches until the server is gone; gives the ids of those that were acknowledged, and the batch whose answer never came. */
async function sendUntilGone(server: { url: string; apiKey: string }, round: number, sender: number) {
  const acknowledged: string[] = [];
  for (let batch = 0; ; batch += 1) {
    const ids = [0, 1, 2, 3, 4].map((index) => idOf(round, sender, batch, index));
    const startTime = new Date().toISOString();
    const flow = Array.from({ length: 10 }, (_step, index) => ({
      stepId: String(index),
      stepName: 'a',
      startTime,
      duration: 1,
      inputs: { filler: 'x'.repeat(500) },
    }));
    const body = JSON.stringify({ traces: ids.map((_id) => ({ ...aTrace(), _id, flow })) });
    try {
      const reply = await postBody(server, server.apiKey, body);
      if (reply.status === 200) acknowledged.push(...ids);
    } catch {
      return { acknowledged, unanswered: { ids, body } };
    }
  }
}

function idOf(...parts: readonly number[]): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${parts.map((part) => part.toString(16).padStart(3, '0')).join('')}`;
}

test('a server killed several times during ingest has every acknowledged trace, whole and once, and counts as many', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-kill-'));
  try {
    await putStores(dataDir);
    let token = '';
    let apiKey = '';
    let projectId = '';
    const expected = new Set<string>();
    /** Batches whose answer never came: their senders send them again. */
    let unanswered: { ids: string[]; body: string }[] = [];
    for (let round = 0; round <= KILLS; round += 1) {
      const server = spawnServer({ dataDir, env: { LOG_LEVEL: 'error' } });
      const url = await server.ready();
      const client = createClient({ baseUrl: url, fetch, token: () => token || null });
      if (round === 0) {
        const body = { name: 'Ada', email: 'ada@test.example', password: 'correct horse' };
        const named = { organizationName: 'Ada', organizationSlug: 'ada' };
        const signedUp = await client.call(routes.auth.registerOrganization, { body: { ...body, ...named } });
        token = signedUp.token;
        const params = { id: signedUp.organization?.id ?? '' };
        await client.call(routes.billing.changeOrganizationPlan, { params, body: { plan: 'pro' } });
        const { project } = await client.call(routes.projects.create, { body: { name: 'shop' } });
        projectId = project.id;
        ({ apiKey } = await client.call(routes.projects.apiKey, { params: { id: projectId } }));
      }
      for (const { ids, body } of unanswered) {
        const reply = await postBody({ url }, apiKey, body);
        expect(reply.body).toEqual({ accepted: ids.length, rejected: [] });
        for (const id of ids) expected.add(id);
      }
      const stored: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { projectId, limit: 500, ...(cursor === undefined ? {} : { cursor }) };
        const page = await client.call(routes.traces.list, { query });
        stored.push(...page.traces.map(({ _id }) => _id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(new Set(stored).size).toBe(stored.length);
      // What was counted and not stored is given back at the start.
      await expect
        .poll(async () => (await client.call(routes.usage.read, {})).usage.traces.used, { timeout: 30_000 })
        .toBe(stored.length);
      expect([...expected].filter((id) => !stored.includes(id))).toEqual([]);
      for (const id of stored.slice(0, 5)) {
        const { trace } = await client.call(routes.traces.read, { params: { id } });
        expect(trace.flow).toHaveLength(10);
      }
      if (round === KILLS) {
        await server.kill('SIGTERM');
        break;
      }
      const sending = Promise.all(
        Array.from({ length: SENDERS }, (_sender, sender) => sendUntilGone({ url, apiKey }, round, sender)),
      );
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 900));
      await server.kill('SIGKILL');
      const outcomes = await sending;
      for (const id of outcomes.flatMap(({ acknowledged }) => acknowledged)) expected.add(id);
      unanswered = outcomes.map((outcome) => outcome.unanswered);
    }
    expect(expected.size).toBeGreaterThan(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}, 1_800_000);
