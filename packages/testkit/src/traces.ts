import { type IngestAnswer, type IngestTrace, routes, type Service } from '@throughline/contract';
import type { z } from 'zod';
import type { TestServer } from './server.ts';

type SentTrace = z.input<typeof IngestTrace>;

/** Builds a small trace of a request that starts now. `given` replaces members of the trace. */
export function aTrace(given: Partial<SentTrace> = {}): SentTrace {
  return {
    request: { method: 'GET', path: '/users/17', route: '/users/:id' },
    response: { statusCode: 200 },
    timing: { startTime: new Date().toISOString(), duration: 12.5 },
    ...given,
  };
}

/** Sends traces of a service with a project's key. Throws unless the server accepts all of them. */
export async function sendTraces(
  server: Pick<TestServer, 'url'>,
  apiKey: string,
  traces: readonly SentTrace[],
  service: z.input<typeof Service> = { name: 'shop' },
): Promise<IngestAnswer> {
  const answer = await fetch(server.url + routes.ingest.traces.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ service, traces }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the server answered ${answer.status}: ${text}`);
  const taken = routes.ingest.traces.answer.parse(JSON.parse(text));
  if (taken.accepted !== traces.length) throw new Error(`not all traces were accepted: ${text}`);
  return taken;
}
