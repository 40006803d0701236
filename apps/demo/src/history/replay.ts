import { setTimeout as wait } from 'node:timers/promises';
import { type RecordedTrace, readHistory } from './history.ts';
import { compareSpeed, measureWork } from './machine-speed.ts';
import { type PlannedVisit, planHistory, playVisit } from './plan.ts';

/** A request body with at least this number of traces is full: the next visit goes into a new body. */
const AT_ONCE = 60;
/** Number of concurrent requests. With two, the server stores one body while the next body is serialized. */
const SENDERS = 2;
const TRIES = 5;
const PAUSE_MS = 1000;

/** The server rejected the API key: the key was replaced, or the workspace was removed. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

export interface ReplayTarget {
  readonly url: string;
  readonly apiKey: string;
}

/** Sends two weeks of the shop's history that end at `until`, with the durations that the requests would have had on this machine. */
export async function replayHistory(target: ReplayTarget, until: Date): Promise<void> {
  const { workMs, visits } = await readHistory();
  await sendVisits(target, planHistory(visits, until), compareSpeed(measureWork(), workMs));
}

/**
 * Sends visits in order, with durations multiplied by `slowdown`, and returns the number of traces. Throws if the server rejects the
 * traces. An interrupted replay can be repeated, because the server ignores traces whose ids are already stored.
 */
export async function sendVisits(
  target: ReplayTarget,
  visits: readonly PlannedVisit[],
  slowdown: number,
): Promise<number> {
  const batches = groupVisits(visits);
  let sent = 0;
  const sendRest = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const traces = batch.flatMap((visit) => playVisit(visit, slowdown));
      await send(target, { service: batch[0]?.visit.service, traces });
      sent += traces.length;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sendRest));
  return sent;
}

/** Groups consecutive visits to the same release, because a request body names the service and its release only once. */
function groupVisits(visits: readonly PlannedVisit[]): PlannedVisit[][] {
  const batches: PlannedVisit[][] = [];
  let traces = AT_ONCE;
  for (const planned of visits) {
    const last = batches.at(-1);
    const isSameRelease = last?.[0]?.visit.service.release === planned.visit.service.release;
    if (last === undefined || !isSameRelease || traces >= AT_ONCE) {
      batches.push([planned]);
      traces = 0;
    } else last.push(planned);
    traces += planned.visit.traces.length;
  }
  return batches;
}

async function send(
  { url, apiKey }: ReplayTarget,
  body: { readonly service: unknown; readonly traces: readonly RecordedTrace[] },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(`${url}/api/ingest/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.ok) return;
    if (answer.status === 401) throw new KeyRefused(text);
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || tries === TRIES)
      throw new Error(`the product answered ${answer.status}: ${text.slice(0, 500)}`);
    await wait(PAUSE_MS * tries);
  }
}
