/** Stores projects as their services would have sent them, and requests their insights as the dashboard does. */

import { createClient, routes } from '@throughline/contract';
import { createRollups } from '../../apps/server/src/features/rollups/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openTraceStore } from '../../apps/server/src/platform/trace-store/index.ts';
import { launchServer, startServerProcess } from '../lib/server-process.ts';
import type { Project } from './habits.ts';
import { type Finding, Insights } from './oracle.ts';
import type { Otlp } from './problem.ts';
import type { Request } from './request.ts';
import { sendSpans, sendTraces } from './send-project.ts';

export interface Stored {
  readonly project: Project;
  readonly requests: () => readonly Request[];
  /** Undefined if the project's service sends the SDK's traces. */
  readonly otlp: Otlp | undefined;
}

export interface Answer {
  readonly findings: readonly Finding[];
  /** Time to store the project and to find its problems. */
  readonly seconds: number;
}

/**
 * Returns the findings of each project. Sends the projects to a real server and stops it. Then runs the rollup job. Unlike the job of a
 * running server, this job also rolls up hours that changed in the last three minutes. Finally starts a second server on the same folder
 * and requests the insights from this server.
 */
export async function readFindings(all: readonly Stored[]): Promise<readonly Answer[]> {
  const server = await startServerProcess();
  try {
    const owner = createClient({ baseUrl: server.url, fetch, token: () => server.token });
    const sent: { readonly id: string; readonly seconds: number }[] = [];
    for (const [index, stored] of all.entries()) {
      const startMs = performance.now();
      const { project: created } = await owner.call(routes.projects.create, {
        body: { name: `planted ${index}` },
      });
      const { apiKey } = await owner.call(routes.projects.apiKey, { params: { id: created.id } });
      const target = { url: server.url, apiKey };
      const { otlp, requests, project } = stored;
      await (otlp === undefined
        ? sendTraces(target, project, requests())
        : sendSpans(target, project, { otlp, requests: requests() }));
      sent.push({ id: created.id, seconds: (performance.now() - startMs) / 1000 });
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
