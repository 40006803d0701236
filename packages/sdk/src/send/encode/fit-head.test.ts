import { IngestTrace, MAX_CHARACTERS, SOURCE_LIMITS } from '@throughline/contract';
import { Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import { getRedactRules } from '../../redact/redaction.ts';
import { makeTrace } from '../trace.fixture.ts';
import { fitText, MAX_LENGTHS, MAX_SOURCE_LENGTH } from './fit-head.ts';
import type { FinishedTrace } from './wire.ts';
import { writeTrace } from './write-trace.ts';

const redactor = new Redactor(getRedactRules({}));
const ID = '019aa5c1-5b40-7000-8000-000000000001';

function write(changes: Partial<FinishedTrace>, by: Redactor | null = redactor): unknown {
  const json = writeTrace({ ...makeTrace(ID), ...changes }, by);
  return JSON.parse(Buffer.from(json).toString());
}

test('the SDK has the same limits as the server', () => {
  expect(MAX_CHARACTERS).toMatchObject(MAX_LENGTHS);
  expect(SOURCE_LIMITS.characters).toBe(MAX_SOURCE_LENGTH);
  expect(SOURCE_LIMITS.path).toBe(MAX_LENGTHS.filePath);
});

test('a text is shortened to the limit, with a mark at its end', () => {
  expect(fitText('abc', 3)).toBe('abc');
  expect(fitText('abcd', 3)).toBe('ab…');
  expect(fitText(undefined, 3)).toBeUndefined();
});

test('each field at its limit is sent whole, and a longer field is shortened', () => {
  for (const extra of [0, 1]) {
    const long = (max: number) => 'x'.repeat(max + extra);
    const sent = IngestTrace.parse(
      write({
        request: {
          method: long(MAX_LENGTHS.method),
          path: long(MAX_LENGTHS.path),
          route: long(MAX_LENGTHS.path),
          url: long(MAX_LENGTHS.url),
          ip: long(MAX_LENGTHS.ip),
          userAgent: long(MAX_LENGTHS.userAgent),
        },
        error: {
          hasError: true,
          errorMessage: long(MAX_LENGTHS.errorMessage),
          errorCode: long(MAX_LENGTHS.errorCode),
        },
        user: { id: long(MAX_LENGTHS.userId) },
        sessionId: long(MAX_LENGTHS.sessionId),
        sources: [{ file: long(MAX_LENGTHS.filePath), version: 'a'.repeat(12) }],
      }),
    );
    expect(sent.request.path.endsWith('…')).toBe(extra === 1);
    expect(sent.user?.id?.length).toBe(MAX_LENGTHS.userId);
  }
});

test('a text that becomes too long because its secrets are redacted is shortened', () => {
  const { request } = IngestTrace.parse(
    write({
      request: { method: 'GET', path: '/secret12'.repeat(900), body: { password: 'secret12' } },
    }),
  );
  expect(request.path).toHaveLength(MAX_LENGTHS.path);
  expect(request.path).not.toContain('secret12');
});

test('source code that becomes too long because its secrets are redacted is left out', () => {
  const text = `const a = {${' pin: "1",'.repeat(6500)} };`;
  const functions = [
    { line: 1, text },
    { line: 2, text: 'f()' },
  ];
  const { sources } = IngestTrace.parse(
    write({ sources: [{ file: 'a.js', version: 'a'.repeat(12), functions }] }),
  );
  expect(sources?.[0]?.functions).toEqual([{ line: 2, text: 'f()' }]);
});

test('a user whose id is redacted by a rule is sent with a marker as id', () => {
  const byKey = new Redactor(getRedactRules({ keys: ['id'] }));
  const { user } = IngestTrace.parse(write({ user: { id: 'u-1', plan: 'pro' } }, byKey));
  expect(user).toMatchObject({ id: '‹redacted›', plan: 'pro' });
});

test('a line number that no file has is left out', () => {
  const [step] = makeTrace(ID).flow;
  if (step === undefined) throw new Error('there is a step');
  for (const line of [-4, 1.5, Number.NaN, 2 ** 40]) {
    const site = { name: 'f'.repeat(20_000), file: 'p'.repeat(5000), line };
    const { flow } = IngestTrace.parse(write({ flow: [{ ...step, site, stepName: 's'.repeat(20_000) }] }));
    expect(flow[0]).not.toHaveProperty('lineNumber');
    expect(flow[0]?.filePath).toHaveLength(MAX_LENGTHS.filePath);
  }
});
