import { describe, expect, it } from 'vitest';
import { aStep } from './step.fixture.ts';
import { findLine, findThrownLine } from './thrown-line.ts';

const failed = (stack: string, given: object = {}) => ({
  ...aStep('taxOf'),
  functionName: 'taxOf',
  filePath: 'src/tax.ts',
  lineNumber: 28,
  error: { message: 'no rate', stack },
  ...given,
});

describe("the line of a step's failure", () => {
  it.each([
    ['the line where its function threw', '    at taxOf (src/tax.ts:30:50)\n    at total (src/cart.ts:7:3)'],
    ['in an absolute path', '    at taxOf (/app/src/tax.ts:30:50)'],
    ['in a file URL', '    at async Tax.taxOf [as of] (file:///app/src/tax.ts:30:50)'],
    ['in a Windows path', String.raw`    at taxOf (C:\app\src\tax.ts:30:50)`],
    ['below a helper', '    at check (src/tax.ts:90:1)\n    at taxOf (src/tax.ts:30:50)'],
    ['in a frame without a name', '    at src/tax.ts:30:50'],
  ])('is found: %s', (_name, frames) => {
    const step = failed(`TypeError: no rate\n${frames}`);
    expect(findThrownLine(step)).toBe(30);
    expect(findLine(step)).toBe(30);
  });

  it.each([
    ['has no stack', { error: { message: 'no' } }],
    ['did not fail', { error: null }],
    ['is in another file', { filePath: 'lib/tax.ts' }],
    ['is in a file whose path has only the same ending', { filePath: 'ax.ts' }],
  ])("is the function's first line for a step that %s", (_name, given) => {
    const step = failed('TypeError: no rate\n    at taxOf (src/tax.ts:30:50)', given);
    expect(findThrownLine(step)).toBeUndefined();
    expect(findLine(step)).toBe(28);
  });
});
