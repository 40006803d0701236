import type { SourceFunction, Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { aStep } from '../../../visuals/steps/step.fixture.ts';
import { aTrace } from '../parts/trace.fixture.ts';
import { describeMissingSource } from './missing-source.ts';

const TEXT: readonly SourceFunction[] = [{ line: 10, text: 'function pay() {\n  return 1;\n}' }];
const REASONS =
  "either it is turned off (source: false, capture mode structure or redact: 'all-values'), or the file was missing, minified, too long, not read yet or changed since the service started, or the SDK is an older version.";

const call = (name: string, lineNumber: number | null, given: Partial<Step> = {}) =>
  aStep(name, { functionName: name, filePath: 'src/pay.ts', lineNumber, ...given });

function describeSteps(
  steps: readonly Step[],
  functions: readonly SourceFunction[] = [],
  runtime = 'node 24.11.1',
): string | undefined {
  return describeMissingSource(steps, { ...aTrace({}), runtime }, (file) =>
    file === 'src/pay.ts' ? functions : [],
  );
}

describe('missing source code is explained', () => {
  it("for a function of the user's own code", () => {
    expect(describeSteps([call('pay', 10)])).toBe(`No source code was sent: ${REASONS}`);
  });

  it('if only some functions have source code', () => {
    expect(describeSteps([call('pay', 10), call('refund', 40)], TEXT)).toBe(
      `No source code was sent for some functions: ${REASONS}`,
    );
  });
});

describe('no source code is said to be missing', () => {
  it.each<[string, Partial<Step>]>([
    ['a library', { filePath: 'node_modules/pg/lib/client.js' }],
    ['a function whose file is unknown', { filePath: null }],
    ['a function whose line is unknown', { lineNumber: null }],
    ['a query', { stepType: 'database' }],
  ])('for %s', (_name, given) => {
    expect(describeSteps([call('pay', 10, given)])).toBeUndefined();
  });

  it('if every function has source code', () => {
    expect(describeSteps([call('pay', 10), call('pay', 10)], TEXT)).toBeUndefined();
  });

  it('if the SDK did not send the trace', () => {
    expect(describeSteps([call('pay', 10)], [], 'nodejs 24.11.1')).toBeUndefined();
  });

  it('for a request without steps', () => {
    expect(describeSteps([])).toBeUndefined();
  });
});
