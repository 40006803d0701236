import { describe, expect, it } from 'vitest';
import { describeMissingPart } from './missing-part.ts';
import { aTrace } from './trace.fixture.ts';

describe('the reason for a missing part of a trace', () => {
  it.each<[string, Parameters<typeof describeMissingPart>[1], Parameters<typeof aTrace>[0], string]>([
    [
      'a URL without a query',
      'request.query',
      { url: '/a', headers: { host: 'a' } },
      'None: the URL has no query.',
    ],
    [
      'a query that may have been removed from the URL, as in the capture mode structure',
      'request.query',
      { url: '/a' },
      'Empty, or not captured: the service',
    ],
    ['headers', 'request.headers', {}, 'Not available: the service records no values'],
    ['headers left out by a limit', 'request.headers', { droppedBytes: 9 }, 'Not captured: the recording'],
    [
      'the body of a request that was sent without values',
      'request.body',
      {
        headers: { 'content-length': '9' },
        droppedBytes: 9,
        attributes: { 'throughline.withoutValues': 'backlog' },
      },
      'Not captured: sent without values, because too many requests were waiting to be sent.',
    ],
    [
      'the headers of a request that was recorded without values',
      'request.headers',
      { attributes: { 'throughline.withoutValues': 'memory' } },
      'Not captured: recorded without values, because the requests in progress used too much memory.',
    ],
    ['the headers of a missing response', 'response.headers', { statusCode: null }, 'there was no response'],
    ['a query that was not captured', 'request.query', { url: '/a?b=1' }, 'Not captured: the service'],
    ['no body', 'request.body', { headers: { 'Content-Length': '0' } }, 'The request had no body.'],
    [
      'no body, if no header declares one',
      'request.body',
      { method: 'DELETE', headers: { host: 'a' } },
      'The request had no body.',
    ],
    [
      'a body of a POST, if no header declares one: HTTP/2 needs none, and OpenTelemetry sends only some headers',
      'request.body',
      { headers: { host: 'a' } },
      'Empty, or not captured: the service',
    ],
    ['a body', 'request.body', { headers: { 'content-length': '9' } }, 'Not captured: the service'],
    [
      'a body of unknown length',
      'request.body',
      { headers: { 'transfer-encoding': 'chunked' }, droppedBytes: 9 },
      'Not captured: the recording reached a limit.',
    ],
    ['a body if the headers are unknown', 'request.body', {}, 'Empty, or not captured: the service'],
    ['no response', 'response.body', { statusCode: null }, 'None: there was no response.'],
    ['a response without a body', 'response.body', { statusCode: 204 }, 'The response had no body.'],
    ['a response to HEAD', 'response.body', { method: 'HEAD' }, 'The response had no body.'],
    [
      'a response with a body',
      'response.body',
      { responseHeaders: { 'content-length': '3' } },
      'Not captured: the service',
    ],
  ])('is given for %s', (_name, part, given, text) => {
    expect(describeMissingPart(aTrace(given), part)).toContain(text);
  });
});
