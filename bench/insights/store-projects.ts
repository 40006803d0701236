/** Stores projects as their services would have sent them, and requests their insights as the dashboard does. */

import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createClient, routes } from '@throughline/contract';
import { createRollups } from '../../apps/server/src/features/rollups/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openTraceStore } from '../../apps/server/src/platform/trace-store/index.ts';
import { createSender } from '../ingest/senders.ts';
import { launchServer, startServerProcess } from '../lib/server-process.ts';
import type { Project } from './habits.ts';
import { type Finding, Insights } from './oracle.ts';
import type { Request } from './request.ts';
import { writeTrace } from './trace-of-request.ts';

const TRACES_PER_BATCH = 500;
/** Number of concurrent requests: the server stores some bodies while the next one is generated. */
const CONNECTIONS = 3;

const OVERLOADED = 503;
const MAX_TURNS = 30;
type Sender = ReturnType<typeof createSender>;

export interface Stored {
  readonly project: Project;
  readonly requests: () => readonly Request[];
}

export interface Answer {
  readonly findings: readonly Finding[];
  /** Time to store the project and to find its problems. */
  readonly seconds: number;
}

/**
 * Returns the findings of each project. Sends the projects to a real server and stops it. Then runs the rollup job, which a server runs
 * every minute; unlike there, the job also rolls up hours that changed in the last three minutes. Finally starts a second server on the
 * same folder and requests the insights from it.
 */
export async function readFindings(all: readonly Stored[]): Promise<readonly Answer[]> {
  const server = await startServerProcess();
  try {
    const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
    const sent: { readonly id: string; readonly seconds: number }[] = [];
    for (const [index, stored] of all.entries()) {
      const startMs = performance.now();
      const { project } = await owner.call(routes.projects.create, { body: { name: `planted ${index}` } });
      const { apiKey } = await owner.call(routes.projects.apiKey, { params: { id: project.id } });
      await sendAll({ url: server.url, apiKey }, stored);
      sent.push({ id: project.id, seconds: (performance.now() - startMs) / 1000 });
    }
    await server.stop();
    await rollUpAll(server.dataDir);
    const again = await launchServer(server.dataDir);
    try {
      const answers: Answer[] = [];
      for (const { id, seconds } of sent) {
        const startMs = performance.now();
        const findings = await ask(again.url, server.token, id);
        answers.push({ findings, seconds: seconds + (performance.now() - startMs) / 1000 });
      }
      return answers;
    } finally {
      await again.stop();
    }
  } finally {
    await server.removeFolder();
  }
}

async function sendAll(
  server: { readonly url: string; readonly apiKey: string },
  { project, requests }: Stored,
) {
  const sender = createSender(server, CONNECTIONS);
  const underWay = new Set<Promise<void>>();
  const send = async (traces: readonly Request[], service: object) => {
    const sent = traces.map((request) => writeTrace(project, request));
    const body = gzipSync(JSON.stringify({ sdk: { name: 'bench', version: '1' }, service, traces: sent }), {
      level: 1,
    });
    const { status, accepted } = await sendPatiently(sender, { body, ids: [] });
    if (accepted !== traces.length)
      throw new Error(`${accepted} of ${traces.length} traces were accepted: ${status}`);
  };
  const senders = Map.groupBy(
    requests(),
    ({ environment, release, instance }) => `${environment} ${release} ${instance}`,
  );
  for (const group of senders.values()) {
    for (let from = 0; from < group.length; from += TRACES_PER_BATCH) {
      const traces = group.slice(from, from + TRACES_PER_BATCH);
      const [{ environment, release, instance } = { environment: '', release: '', instance: '' }] = traces;
      const service = {
        name: project.service,
        version: release,
        environment,
        release,
        instance,
        runtime: 'node 24',
      };
      const turn = send(traces, service).finally(() => underWay.delete(turn));
      underWay.add(turn);
      if (underWay.size >= CONNECTIONS) await Promise.race(underWay);
    }
  }
  await Promise.all(underWay);
  sender.close();
}

/** Sends a batch. While the server is overloaded, sends the batch again each second, at most `MAX_TURNS` times. */
async function sendPatiently(sender: Sender, batch: Parameters<Sender['send']>[0]) {
  let answer = await sender.send(batch);
  for (let turn = 0; answer.status === OVERLOADED && turn < MAX_TURNS; turn += 1) {
    await setTimeout(1000);
    answer = await sender.send(batch);
  }
  return answer;
}

async function rollUpAll(dataDir: string): Promise<void> {
  const store = await openTraceStore({ clickhouse: undefined, dataDir });
  const rollups = createRollups({ store, log: createLog('error') }, { quietMs: 0 });
  await rollups.run();
  await rollups.close();
  await store.close();
}

/** Requests insights as the dashboard first does: default range, no filter. */
async function ask(url: string, token: string, id: string): Promise<readonly Finding[]> {
  const answer = await fetch(`${url}/api/analytics/insights/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`insights were answered ${answer.status}: ${await answer.text()}`);
  const { insights } = Insights.parse(await answer.json());
  if (insights.requestCount === 0) throw new Error('no request was examined');
  return insights.findings;
}
