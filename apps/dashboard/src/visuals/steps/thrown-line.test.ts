import { describe, expect, it } from 'vitest';
import { aStep } from './step.fixture.ts';
import { findLine, thrownLine } from './thrown-line.ts';

const failed = (stack: string, given: object = {}) => ({
  ...aStep('taxOf'),
  functionName: 'taxOf',
  filePath: 'src/tax.ts',
  lineNumber: 28,
  error: { message: 'no rate', stack },
  ...given,
});

describe('the line where a step failed', () => {
  it.each([
    ['where its function threw', '    at taxOf (src/tax.ts:30:50)\n    at total (src/cart.ts:7:3)'],
    ['of an absolute path', '    at taxOf (/app/src/tax.ts:30:50)'],
    ['of a file address', '    at async Tax.taxOf [as of] (file:///app/src/tax.ts:30:50)'],
    ['of a path of Windows', String.raw`    at taxOf (C:\app\src\tax.ts:30:50)`],
    ['below a helper', '    at check (src/tax.ts:90:1)\n    at taxOf (src/tax.ts:30:50)'],
    ['of a frame without a name', '    at src/tax.ts:30:50'],
  ])('is the one %s', (_name, frames) => {
    const step = failed(`TypeError: no rate\n${frames}`);
    expect(thrownLine(step)).toBe(30);
    expect(findLine(step)).toBe(30);
  });

  it.each([
    ['has no stack', { error: { message: 'no' } }],
    ['did not fail', { error: null }],
    ['is of another file', { filePath: 'lib/tax.ts' }],
    ['is of a file whose name only ends alike', { filePath: 'ax.ts' }],
  ])('is where the function begins for a step that %s', (_name, given) => {
    const step = failed('TypeError: no rate\n    at taxOf (src/tax.ts:30:50)', given);
    expect(thrownLine(step)).toBeUndefined();
    expect(findLine(step)).toBe(28);
  });
});
