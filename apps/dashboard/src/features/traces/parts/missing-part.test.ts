import { describe, expect, it } from 'vitest';
import { missingPartText } from './missing-part.ts';
import { aTrace } from './trace.fixture.ts';

describe('why a part of a trace is missing', () => {
  it.each<[string, Parameters<typeof missingPartText>[1], Parameters<typeof aTrace>[0], string]>([
    ['an address without a query', 'request.query', { url: '/a' }, 'None: the address has no query.'],
    ['a query that was not captured', 'request.query', { url: '/a?b=1' }, 'Not captured: the service'],
    ['no body', 'request.body', { headers: { 'Content-Length': '0' } }, 'The request had no body.'],
    ['no body, by no header', 'request.body', { headers: { host: 'a' } }, 'The request had no body.'],
    ['a body', 'request.body', { headers: { 'content-length': '9' } }, 'Not captured: the service'],
    [
      'a body of unknown length',
      'request.body',
      { headers: { 'transfer-encoding': 'chunked' }, droppedBytes: 9 },
      'Not captured: the recording reached a limit.',
    ],
    ['headers that are not known', 'request.body', {}, 'Empty, or not captured: the service'],
    ['no answer', 'response.body', { statusCode: null }, 'None: the request was not answered.'],
    ['an answer that has none', 'response.body', { statusCode: 204 }, 'The response had no body.'],
    ['an answer to HEAD', 'response.body', { method: 'HEAD' }, 'The response had no body.'],
    [
      'an answer with a body',
      'response.body',
      { responseHeaders: { 'content-length': '3' } },
      'Not captured: the service',
    ],
  ])('%s', (_name, part, given, text) => {
    expect(missingPartText(aTrace(given), part)).toContain(text);
  });
});
