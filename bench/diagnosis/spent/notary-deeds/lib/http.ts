import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Office } from './office.ts';
import { parseDraft } from './draft.ts';

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function handle(
  office: Office,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const [, resource, number] = (request.url ?? '/').split('/');
    if (resource !== 'deeds') reply(response, 404, { error: 'unknown path' });
    else if (request.method === 'POST')
      reply(response, 201, await office.register(parseDraft(await readJson(request))));
    else reply(response, 200, await office.look(decodeURIComponent(number ?? '')));
  } catch (error) {
    const { status = 500, message } = error as Error & { status?: number };
    reply(response, status, { error: message });
  }
}
