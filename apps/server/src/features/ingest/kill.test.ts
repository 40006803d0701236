import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createClient, routes, type TraceRow } from '@throughline/contract';
import { aTrace, postBody, spawnServer } from '@throughline/testkit';
import { otlpAttributes, otlpProtobuf, otlpRequest, otlpSpan, postSpans } from '@throughline/testkit/otlp';
import { putStores, storeSettings } from '@throughline/testkit/stores-folder';
import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { setUp } from '../../fixtures/set-up.ts';
import { letReservationsAge } from '../../fixtures/shared-postgres.ts';

const KILLS = repetitions({ usually: 1, thoroughly: 50 });
/** How each sender identifies its traces: by their own ids, only by the idempotency key of the batch, or as OpenTelemetry spans. */
const SENDERS = ['ids', 'ids', 'key', 'spans'] as const;
const STEPS = 10;

/** A batch of five traces. The test tells the traces apart by their paths. */
interface Batch {
  readonly paths: readonly string[];
  /** Resolves with true if the batch was acknowledged. Rejects if no response arrived. */
  send(server: { readonly url: string }, apiKey: string): Promise<boolean>;
}

function buildBatch(kind: (typeof SENDERS)[number], ...place: readonly number[]): Batch {
  const parts = [0, 1, 2, 3, 4].map((index) =>
    [...place, index].map((part) => part.toString(16).padStart(3, '0')).join(''),
  );
  const paths = parts.map((part) => `/${part}`);
  if (kind === 'spans') {
    const spans = parts.flatMap((part) => {
      const traceId = part.padStart(32, 'a');
      const root = {
        traceId,
        attributes: otlpAttributes({ 'http.request.method': 'GET', 'url.path': `/${part}` }),
      };
      const steps = Array.from({ length: STEPS }, (_step, index) => otlpSpan(index + 2, 1, { traceId }));
      return [otlpSpan(1, undefined, root), ...steps];
    });
    const body = otlpProtobuf(otlpRequest('shop', spans));
    return {
      paths,
      send: async (server, apiKey) => {
        const { status, bytes } = await postSpans(server, apiKey, body);
        return status === 200 && bytes.length === 0;
      },
    };
  }
  const startTime = new Date().toISOString();
  const flow = Array.from({ length: STEPS }, (_step, index) => ({
    stepId: String(index),
    stepName: 'a',
    startTime,
    duration: 1,
    inputs: { filler: 'x'.repeat(500) },
  }));
  const traces = paths.map((path) => ({ ...aTrace({ request: { method: 'GET', path } }), flow }));
  const time = Date.now().toString(16).padStart(12, '0');
  const withIds = traces.map((trace, index) => ({
    ...trace,
    _id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${parts[index]}`,
  }));
  const body = JSON.stringify({ traces: kind === 'ids' ? withIds : traces });
  const headers: Record<string, string> = kind === 'key' ? { 'idempotency-key': paths.join('') } : {};
  return {
    paths,
    send: async (server, apiKey) => {
      const reply = await postBody(server, apiKey, body, headers);
      return reply.status === 200 && isDeepStrictEqual(reply.body, { accepted: paths.length, rejected: [] });
    },
  };
}

/** Sends batches until the server is gone. Returns the paths of acknowledged traces, and the batch without a response. */
async function sendUntilGone(server: { url: string; apiKey: string }, round: number, sender: number) {
  const acknowledged: string[] = [];
  for (let number = 0; ; number += 1) {
    const batch = buildBatch(SENDERS[sender] ?? 'ids', round, sender, number);
    let taken: boolean;
    try {
      taken = await batch.send(server, server.apiKey);
    } catch {
      return { acknowledged, unanswered: batch };
    }
    expect(taken).toBe(true);
    acknowledged.push(...batch.paths);
  }
}

async function start(dataDir: string) {
  const server = spawnServer({ dataDir, env: { LOG_LEVEL: 'error' } });
  return { server, url: await server.ready() };
}

test('a server that is killed during ingest stores and counts every acknowledged trace exactly once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'throughline-kill-'));
  try {
    await putStores(dataDir);
    let token = '';
    let apiKey = '';
    let projectId = '';
    const expected = new Set<string>();
    /** Batches without a response, which their senders send again. */
    let unanswered: Batch[] = [];
    for (let round = 0; round <= KILLS; round += 1) {
      let { server, url } = await start(dataDir);
      if (round === 0) ({ token, projectId, apiKey } = await setUp(url));
      for (const batch of unanswered) {
        expect(await batch.send({ url }, apiKey)).toBe(true);
        for (const path of batch.paths) expected.add(path);
      }
      const { DATABASE_URL: shared } = storeSettings(dataDir);
      if (shared !== undefined) {
        // With a shared control store, a starting server releases only reservations older than five minutes, because another server could
        // still be storing the traces of newer reservations. The test therefore makes the reservations older and starts the server again.
        await server.kill('SIGTERM');
        await letReservationsAge(shared);
        ({ server, url } = await start(dataDir));
      }
      const client = createClient({ baseUrl: url, fetch, token: () => token || null });
      const stored: TraceRow[] = [];
      let cursor: string | undefined;
      do {
        const query = { projectId, limit: 500, ...(cursor === undefined ? {} : { cursor }) };
        const page = await client.call(routes.traces.list, { query });
        stored.push(...page.traces);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      // The quota of traces that were counted but not stored is released when the server starts.
      await expect
        .poll(async () => (await client.call(routes.usage.read, {})).usage.traces.used, { timeout: 30_000 })
        .toBe(stored.length);
      // The batches without a response were sent again and then acknowledged, so each trace is stored exactly once.
      expect(stored.map(({ request }) => request.path).sort()).toEqual([...expected].sort());
      for (const { _id: id } of stored.filter((_row, index) => index % Math.ceil(stored.length / 6) === 0)) {
        const { trace } = await client.call(routes.traces.read, { params: { id } });
        expect(trace.flow).toHaveLength(STEPS);
      }
      if (round === KILLS) {
        await server.kill('SIGTERM');
        break;
      }
      const sending = Promise.all(
        SENDERS.map((_kind, sender) => sendUntilGone({ url, apiKey }, round, sender)),
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
