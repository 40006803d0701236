import { describe, expect, it } from 'vitest';
import { ApiError, createClient } from './client.ts';
import { routes } from './routes.ts';

function clientAnswering(answer: Response | Error) {
  const calls: { url: string; init: RequestInit | undefined }[] = [];
  const client = createClient({
    baseUrl: 'http://server',
    token: () => 'secret',
    fetch: async (url, init) => {
      calls.push({ url: String(url), init });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { client, calls };
}

describe('the client', () => {
  it('sends path, query, body and token as the route declares', async () => {
    const { client, calls } = clientAnswering(Response.json({ traces: [], total: 0, nextCursor: null }));
    await client.call(routes.traces.list, { query: { search: 'a&b', status: 'error', method: undefined } });
    expect(calls[0]?.url).toBe('http://server/api/traces?search=a%26b&status=error');
    expect(calls[0]?.init?.headers).toEqual({ authorization: 'Bearer secret' });
  });

  it("throws the server's error", async () => {
    const refusal = {
      error: { code: 'not_found', message: 'No such project.', requestId: 'r1' },
      message: 'No such project.',
    };
    const { client } = clientAnswering(Response.json(refusal, { status: 404 }));
    const error = await client
      .call(routes.projects.read, { params: { id: 'x' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'No such project.',
      requestId: 'r1',
    });
  });

  it('distinguishes an unreachable server from an invalid response', async () => {
    const gone = await clientAnswering(new TypeError('fetch failed'))
      .client.call(routes.product.live, {})
      .catch((e: unknown) => e);
    expect(gone).toMatchObject({ status: 0, code: 'network_failure' });
    const headers = { 'x-request-id': 'r2' };
    const nonsense = await clientAnswering(new Response('<html>', { status: 502, headers }))
      .client.call(routes.product.live, {})
      .catch((e: unknown) => e);
    expect(nonsense).toMatchObject({ status: 502, code: 'unreadable_answer', requestId: 'r2' });
    const halfOk = await clientAnswering(new Response('{"status":'))
      .client.call(routes.product.live, {})
      .catch((e: unknown) => e);
    expect(halfOk).toMatchObject({ status: 200, code: 'unreadable_answer' });
  });

  it('times out if no response begins, and warns that the server may have made the change', async () => {
    const client = createClient({
      baseUrl: 'http://server',
      token: () => null,
      timeoutMs: 20,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    const read = await client.call(routes.product.live, {}).catch((thrown: unknown) => thrown);
    expect(read).toMatchObject({
      status: 0,
      code: 'no_answer',
      message: 'The server did not respond within 0.02 seconds.',
      remedy: 'Check your connection, then try again.',
    });
    const changed = await client
      .call(routes.projects.create, { body: { name: 'orders' } })
      .catch((thrown: unknown) => thrown);
    expect(changed).toMatchObject({ remedy: expect.stringContaining('the change may have been made') });
    const leaving = new AbortController();
    const left = client
      .call(routes.product.live, { signal: leaving.signal })
      .catch((thrown: unknown) => thrown);
    leaving.abort();
    expect(await left).toMatchObject({ name: 'AbortError' });
  });

  it('does not time out while it reads a body whose response began in time', async () => {
    const client = createClient({
      baseUrl: 'http://server',
      token: () => null,
      timeoutMs: 20,
      fetch: async (_url, init) =>
        new Response(
          new ReadableStream({
            async start(controller) {
              init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
              await new Promise((resolve) => setTimeout(resolve, 60));
              controller.enqueue(new TextEncoder().encode('{"status":"ok"}'));
              controller.close();
            },
          }),
        ),
    });
    expect(await client.call(routes.product.live, {})).toEqual({ status: 'ok' });
  });
});
