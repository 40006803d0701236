import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyResponse } from './outcome.ts';

const answer = (status: number, body: unknown = '', retryAfter?: string) => ({
  status,
  retryAfter,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const now = Date.parse('2026-11-21T10:00:00Z');

describe('the outcome of a response', () => {
  it.each([
    [401, 'refused'],
    [402, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [301, 'refused'],
    [413, 'split'],
    [400, 'discard'],
    [415, 'discard'],
    [422, 'discard'],
    [408, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [502, 'retry'],
    [503, 'retry'],
    [0, 'retry'],
  ])('with the status %i is "%s"', (status, kind) => {
    expect(classifyResponse(answer(status, '<html>'), now).kind).toBe(kind);
  });

  it('includes the rejected traces and the settings from the body', () => {
    const body = {
      accepted: 2,
      rejected: [{ index: 1, code: 'too_old', message: 'a\u001b[31m\nb' }],
      settings: { sampleRate: 0.5, capture: 'structure' },
    };
    expect(classifyResponse(answer(200, body), now)).toEqual({
      kind: 'stored',
      rejected: 1,
      reason: 'too_old: a [31m b',
      settings: { sampleRate: 0.5, capture: 'structure' },
    });
    const odd = { accepted: 1, rejected: null, settings: { sampleRate: 7, capture: 'everything' } };
    expect(classifyResponse(answer(200, odd), now)).toMatchObject({
      kind: 'stored',
      rejected: 0,
      settings: {},
    });
  });

  it('names the error code and uses Retry-After if the server sets it', () => {
    const body = { error: { code: 'quota_exceeded' } };
    expect(classifyResponse(answer(429, body, '60'), now)).toEqual({
      kind: 'retry',
      waitMs: 60_000,
      reason: '429 quota_exceeded',
      bounded: false,
    });
    expect(classifyResponse(answer(401, { error: { code: 'invalid_api_key' } }), now)).toEqual({
      kind: 'refused',
      reason: 'the API key is not valid (401 invalid_api_key)',
    });
  });

  it('is not a delivery if another program responds', () => {
    for (const body of ['', 'OK', '<html>', '[]', 'null', '{}', '{"accepted":"1"}']) {
      expect(classifyResponse(answer(200, body), now).kind).toBe('refused');
    }
  });

  it('is defined for any response', () => {
    fc.assert(
      fc.property(
        fc.nat(700),
        fc.oneof(fc.json(), fc.string()),
        fc.option(fc.string()),
        (status, body, after) => {
          const { kind } = classifyResponse({ status, body, retryAfter: after ?? undefined }, now);
          expect(['stored', 'retry', 'split', 'discard', 'refused']).toContain(kind);
        },
      ),
    );
  });
});
