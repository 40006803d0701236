import { routes } from '@throughline/contract';
import type { TestServer } from './server.ts';

/** The server's response to a body that was sent unchanged, valid or not. */
export interface IngestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends any body with a project's key. */
export async function postBody(
  server: Pick<TestServer, 'url'>,
  apiKey: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<IngestReply> {
  const answer = await fetch(server.url + routes.ingest.traces.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text) };
}
