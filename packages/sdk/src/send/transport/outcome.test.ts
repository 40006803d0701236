import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyResponse } from './outcome.ts';

const answer = (status: number, body: unknown = '', retryAfter?: string) => ({
  status,
  retryAfter,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const now = Date.parse('2026-11-21T10:00:00Z');

/** The expected kind of each status below 500 that is not a success. All statuses that are not listed are refused. */
const KINDS: Readonly<Record<string, readonly number[]>> = {
  retry: [0, 408, 429],
  split: [413],
  discard: [400, 415, 422],
};

function findKind(status: number, body: string): string {
  if (status >= 500) return 'retry';
  const [kind = 'refused'] = Object.keys(KINDS).filter((each) => KINDS[each]?.includes(status));
  if (status < 200 || status > 299) return kind;
  try {
    const parsed: unknown = JSON.parse(body);
    const accepted = Array.isArray(parsed) ? undefined : Object(parsed).accepted;
    return typeof accepted === 'number' ? 'stored' : 'refused';
  } catch {
    return 'refused';
  }
}

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

  it.each([
    ['invalid_json', 'split'],
    ['validation_failed', 'discard'],
  ])('with the status 400 and the error code %s is "%s"', (code, kind) => {
    expect(classifyResponse(answer(400, { error: { code } }), now).kind).toBe(kind);
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

  it('is a refusal if the response comes from another program than the server', () => {
    for (const body of ['', 'OK', '<html>', '[]', 'null', '{}', '{"accepted":"1"}']) {
      expect(classifyResponse(answer(200, body), now).kind).toBe('refused');
    }
  });

  it('depends only on the status and on the number of accepted traces, for any response', () => {
    const bodies = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({ accepted: fc.oneof(fc.nat(), fc.string()), rejected: fc.jsonValue() })
        .map((body) => JSON.stringify(body)),
      fc.constantFrom('[{"accepted":1}]', '{"accepted":2', '{"accepted":0}', '"accepted"'),
    );
    const known = fc.constantFrom(
      0,
      200,
      202,
      204,
      299,
      300,
      400,
      401,
      402,
      403,
      408,
      413,
      415,
      422,
      429,
      499,
      500,
      503,
    );
    fc.assert(
      fc.property(fc.oneof(known, fc.nat(700)), bodies, fc.option(fc.string()), (status, body, after) => {
        const outcome = classifyResponse({ status, body, retryAfter: after ?? undefined }, now);
        expect(outcome.kind).toBe(findKind(status, body));
        // The number of retries is limited only after a 5xx status other than 503. A rate limit, a 503 or a missing connection can last for
        // any time.
        if (outcome.kind === 'retry') expect(outcome.bounded).toBe(status >= 500 && status !== 503);
      }),
      { numRuns: 500 },
    );
  });
});
