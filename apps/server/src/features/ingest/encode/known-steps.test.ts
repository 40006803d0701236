import type { IngestStep } from '@throughline/contract';
import { HiddenTexts, Redactor } from '@throughline/contract/redaction';
import { expect, test } from 'vitest';
import { KnownSteps } from './known-steps.ts';

const STEP: IngestStep = {
  stepId: '1',
  stepName: 'charge',
  stepType: 'function',
  startTime: '2026-01-01T00:00:00.000000Z',
  duration: 1,
  functionName: 'charge',
  filePath: 'src/payment\t.ts',
  lineNumber: 12,
};
const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

test('a repeated function is found in the cache, with its columns escaped', () => {
  const known = KnownSteps.of(new Redactor());
  const first = known.find(STEP);
  expect(first).toMatchObject({ code: 'charge\tfunction\tcharge\tsrc/payment\\t.ts\t12' });
  expect(known.find({ ...STEP, stepId: '2', duration: 3 })).toBe(first);
});

test.each([
  ['type', { stepType: 'http' }, 'charge\thttp\tcharge\tsrc/payment\\t.ts\t12'],
  ['function', { functionName: 'pay' }, 'charge\tfunction\tpay\tsrc/payment\\t.ts\t12'],
  ['file', { filePath: 'b.ts' }, 'charge\tfunction\tcharge\tb.ts\t12'],
  ['line', { lineNumber: 13 }, 'charge\tfunction\tcharge\tsrc/payment\\t.ts\t13'],
  ['no source', { functionName: null, filePath: null, lineNumber: null }, 'charge\tfunction\t\t\t\\N'],
] as const)('cached functions with the same name are distinguished by their %s', (_what, other, code) => {
  const known = KnownSteps.of(new Redactor());
  known.find(STEP);
  expect(known.find({ ...STEP, ...other })).toMatchObject({ code });
  expect(known.find(STEP)).toMatchObject({ code: 'charge\tfunction\tcharge\tsrc/payment\\t.ts\t12' });
});

test.each(['stepName', 'functionName', 'filePath'] as const)(
  'a step with a secret in its %s is never cached, so that the redactor sees the secret each time',
  (field) => {
    const known = KnownSteps.of(new Redactor());
    const step = { ...STEP, [field]: `charge ${SECRET}` };
    expect(known.find(step)).toBeUndefined();
    expect(known.find(step)).toBeUndefined();
  },
);

test('a cached function is not used while the redactor hides a secret of the current trace', () => {
  const redactor = new Redactor();
  const known = KnownSteps.of(redactor);
  expect(known.find(STEP)).toBeDefined();
  const found = redactor.hideSecrets(new HiddenTexts(['charge']), () => known.find(STEP));
  expect(found).toBeUndefined();
});

test('cached functions are not used if redaction rules use paths', () => {
  expect(KnownSteps.of(new Redactor({ paths: ['stepName'] })).find(STEP)).toBeUndefined();
});

test('a string that is too long for a name is not cached', () => {
  expect(KnownSteps.of(new Redactor()).find({ ...STEP, stepName: 'a '.repeat(200) })).toBeUndefined();
});
