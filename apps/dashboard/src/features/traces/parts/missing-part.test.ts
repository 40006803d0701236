import type { Trace } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { missingPartText } from './missing-part.ts';

interface Given {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statusCode?: number | null;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly droppedBytes?: number;
}

function aTrace(given: Given): Trace {
  return {
    _id: '0',
    traceId: '0',
    projectId: '0',
    spanId: null,
    parentSpanId: null,
    request: {
      method: given.method ?? 'POST',
      path: '/',
      route: null,
      url: given.url ?? '/',
      headers: given.headers ?? {},
      ip: null,
      userAgent: null,
    },
    response: {
      statusCode: given.statusCode === undefined ? 200 : given.statusCode,
      headers: given.responseHeaders ?? {},
    },
    timing: { startTime: '2026-11-23T00:00:00.000000Z', duration: 1 },
    performance: { memoryUsage: null, cpuUsage: null, eventLoopDelay: null },
    error: { hasError: false, errorMessage: null, errorCode: null },
    service: '',
    serviceVersion: '',
    environment: '',
    release: '',
    instance: '',
    runtime: '',
    user: null,
    sessionId: null,
    attributes: {},
    stepCount: 0,
    flow: [],
    dropped: { steps: 0, values: 0, bytes: given.droppedBytes ?? 0 },
    createdAt: '2026-11-23T00:00:00.000000Z',
  };
}

describe('why a part of a trace is missing', () => {
  it.each<[string, Parameters<typeof missingPartText>[1], Given, string]>([
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
