import { describe, expect, it } from 'vitest';
import { buildFinishedTrace } from './finished-trace.ts';
import { RequestTrace } from './request-trace.ts';

const KEY = 'ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2';

/** Returns a text in which a cut at `limit` leaves 16 characters of a key. */
function longText(limit: number): string {
  return `${'note/'.repeat(limit).slice(0, limit - 17)}/${KEY}/${'more/'.repeat(400)}`;
}

function build(
  req: { method?: string; url?: string; agent?: string; route?: string },
  sends = { withValues: true, withHeaders: true },
) {
  const trace = new RequestTrace(
    {
      method: req.method ?? 'GET',
      url: req.url ?? '/',
      headers: { host: 'h', ...(req.agent !== undefined && { 'user-agent': req.agent }) },
      socket: {},
    },
    {
      statusCode: 200,
      headersSent: true,
      writableEnded: true,
      writableFinished: true,
      getHeaders: () => ({}),
    },
    null,
    0,
  );
  trace.route = req.route;
  return buildFinishedTrace(trace, {
    nowMs: trace.startMs,
    ...sends,
    withMessages: true,
  }).request;
}

describe('a long text of a request', () => {
  it('is cut to the length that the server accepts', () => {
    const { path, url } = build({ url: `/${'x'.repeat(200_000)}` });
    expect(path.length).toBe(8192);
    expect(url?.length).toBe(65_536);
  });

  it.each([
    ['path', build({ url: `/${longText(8191)}` }).path],
    ['URL', build({ url: `/${longText(65_527)}` }).url],
    ['route', build({ route: longText(8192) }).route],
    ['method', build({ method: longText(64) }).method],
    ['user agent', build({ agent: longText(4096) }).userAgent],
  ])('shows no part of a key in the %s if the key is cut in two', (_field, shown) => {
    expect(shown).toMatch(/‹redacted›$/);
    expect(shown).not.toContain('ghp_');
  });
});

describe('a request that was recorded without values', () => {
  const url = '/orders?id=7';

  it('has its headers and query in capture mode `all`', () => {
    const request = build({ url }, { withValues: false, withHeaders: true });
    expect(request).toMatchObject({
      url: 'http://h/orders?id=7',
      headers: { host: 'h' },
      query: { id: '7' },
    });
    expect(request).not.toHaveProperty('body');
  });

  it('has no headers and no query in capture mode `structure`', () => {
    const request = build({ url }, { withValues: false, withHeaders: false });
    expect(request.url).toBe('http://h/orders');
    expect(request).not.toHaveProperty('headers');
    expect(request).not.toHaveProperty('query');
  });
});
