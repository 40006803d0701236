import type { Trace } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { listCurlNotes } from './curl-notes.ts';
import { buildCurlCommand } from './curl-text.ts';

type Request = Trace['request'];

const plain: Request = {
  method: 'GET',
  path: '/orders',
  route: '/orders',
  url: 'http://shop.example/orders',
  headers: { host: 'shop.example' },
  query: {},
  ip: null,
  userAgent: null,
};

const listNotes = (more: Partial<Request>, inlineUpTo = 100) => {
  const request = { ...plain, ...more };
  return listCurlNotes(request, buildCurlCommand(request, inlineUpTo));
};
const describeMissing = (parts: string) =>
  `Not available here: ${parts}. Add those that the request had to the command.`;

describe('the notes on a copied cURL command', () => {
  it('are absent if the command sends the whole request', () => {
    expect(listNotes({})).toEqual([]);
    expect(listNotes({ url: 'http://shop.example/orders?page=2', query: { page: '2' } })).toEqual([]);
    expect(listNotes({ method: 'POST', body: { a: 1 } })).toEqual([]);
  });

  it('name headers, query and body of a request that was recorded without values', () => {
    expect(listNotes({ method: 'POST', headers: {}, query: undefined })).toEqual([
      describeMissing('headers, query, body'),
    ]);
  });

  it('name the headers that were left out to stay within the CPU budget, but not the query, which the URL has', () => {
    const url = 'http://shop.example/orders?page=2';
    expect(listNotes({ url, headers: {}, query: { page: '2' } })).toEqual([describeMissing('headers')]);
  });

  it('name what public viewers do not see: headers, query, and the parameters of the path', () => {
    const query = { $type: 'redacted', of: 'object' };
    expect(
      listNotes({
        url: null,
        path: '/orders/:id',
        route: '/orders/:id',
        headers: {},
        query,
        body: query,
        method: 'POST',
      }),
    ).toEqual([
      'The path is the template of the route: replace its parameters.',
      describeMissing('headers, query'),
      'Set these variables before you run the command: MISSING_HOST, REDACTED_BODY.',
    ]);
  });

  it('name a query that was captured although the URL has none', () => {
    expect(listNotes({ query: { page: '2' } })).toEqual([describeMissing('query')]);
  });

  it('name a body only if the request may have had a body that was not captured', () => {
    const sent = { method: 'POST', headers: { host: 'shop.example', 'user-agent': 'curl' } };
    expect(listNotes(sent)).toEqual([describeMissing('body')]);
    expect(listNotes({ ...sent, headers: { ...sent.headers, 'content-length': '0' } })).toEqual([]);
    expect(listNotes({ ...sent, headers: { ...sent.headers, 'content-length': '9' } })).toEqual([
      'Set these variables before you run the command: MISSING_BODY.',
    ]);
  });

  it('name the file of a body that is too long for a command', () => {
    expect(listNotes({ method: 'POST', body: 'x'.repeat(200) })).toEqual([
      'The body is too long for a command and was saved as request-body.txt.',
    ]);
  });
});
