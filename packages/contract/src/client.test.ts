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
  it('sends path, query, body and token as the route says', async () => {
    const { client, calls } = clientAnswering(Response.json({ traces: [], total: 0, nextCursor: null }));
    await client.call(routes.traces.list, { query: { search: 'a&b', status: 'error', method: undefined } });
    expect(calls[0]?.url).toBe('http://server/api/traces?search=a%26b&status=error');
    expect(calls[0]?.init?.headers).toEqual({ authorization: 'Bearer secret' });
  });

  it('throws what the server said', async () => {
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

  it('tells a server that is not there from one that answers nonsense', async () => {
    const gone = await clientAnswering(new TypeError('fetch failed'))
      .client.call(routes.product.live, {})
      .catch((e: unknown) => e);
    expect(gone).toMatchObject({ status: 0, code: 'network_failure' });
    const nonsense = await clientAnswering(new Response('<html>', { status: 502 }))
      .client.call(routes.product.live, {})
      .catch((e: unknown) => e);
    expect(nonsense).toMatchObject({ status: 502, code: 'unreadable_answer' });
    const halfOk = await clientAnswering(new Response('{"status":'))
      .client.call(routes.product.live, {})
      .catch((e: unknown) => e);
    expect(halfOk).toMatchObject({ status: 200, code: 'unreadable_answer' });
  });
});
