import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildStepForest } from '../steps/analysis/step-forest.ts';
import { aStep, at } from '../steps/step.fixture.ts';
import { callBeside, shownCall, stepsByFile } from './file-lines.ts';
import { lineValues } from './line-values.ts';

const START = at(0);
const step = (
  stepId: string,
  filePath: string | null,
  lineNumber: number | null,
  more: Partial<Step> = {},
): Step => aStep(stepId, { filePath, lineNumber, ...more });

const build = (...flow: Step[]) =>
  buildStepForest(
    flow.map((each, sequence) => ({ ...each, sequence })),
    START,
  );

describe('steps by file and line', () => {
  it('are grouped by file in order of first call, and sorted by line within a file', () => {
    const files = stepsByFile(
      build(
        step('query', null, null),
        step('tax', 'src/tax.ts', 18),
        step('cart1', 'src/cart.ts', 40),
        step('head', 'src/tax.ts', 3),
        step('cart2', 'src/cart.ts', 40, { error: { message: 'x' } }),
      ),
    );
    expect(
      files.map(({ path, lines, failed }) => [
        path,
        failed,
        lines.map(({ line, calls }) => `${line} ×${calls}`),
      ]),
    ).toEqual([
      ['src/tax.ts', false, ['3 ×1', '18 ×1']],
      ['src/cart.ts', true, ['40 ×2']],
      [null, false, ['null ×1']],
    ]);
  });

  it('show one of several calls of a line: the selected call, or else the failed call', () => {
    const [file] = stepsByFile(
      build(step('a1', 'f', 1), step('a2', 'f', 1, { error: { message: 'x' } }), step('a3', 'f', 1)),
    );
    const line = file?.lines[0];
    if (line === undefined) throw new Error('there is a line');
    expect(shownCall(line, undefined)?.key).toBe('a2');
    const first = shownCall(line, 'a1');
    expect(first?.key).toBe('a1');
    expect(first && callBeside(line, first, 1)?.key).toBe('a2');
    expect(first && callBeside(line, first, -1)).toBeUndefined();
  });

  it('are each on one line, for any steps', () => {
    const flows = fc.array(
      fc.record({
        file: fc.option(fc.constantFrom('a', 'b', '')),
        line: fc.option(fc.integer({ min: 1, max: 5 })),
        name: fc.constantFrom('f', 'g'),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(flows, (flow) => {
        const forest = build(
          ...flow.map(({ file, line, name }, index) => step(`${name}${index}`, file, line)),
        );
        const files = stepsByFile(forest);
        const lines = files.flatMap((each) => each.lines);
        const shown = lines.flatMap(({ nodes }) => nodes);
        expect(shown).toHaveLength(flow.length);
        expect(new Set(shown)).toEqual(new Set(forest.all));
        expect(files.reduce((sum, { steps }) => sum + steps, 0)).toBe(flow.length);
        expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
      }),
    );
  });
});

describe('the values next to a line', () => {
  it('are arguments, local variables and the return value', () => {
    const values = lineValues(
      step('a', 'f', 1, {
        variables: { parameters: { country: 'UK' }, localVariables: { rate: 20 }, returnValue: 1.2 },
      }),
    );
    expect(values).toEqual([
      { name: 'country', text: '"UK"' },
      { name: 'rate', text: '20' },
      { name: 'returned', text: '1.2' },
    ]);
  });

  it('end with the thrown error', () => {
    const values = lineValues(
      step('a', 'f', 1, { inputs: { n: 1 }, outputs: 2, error: { message: 'no\nrate' } }),
    );
    expect(values.at(-1)).toEqual({ name: 'threw', text: 'no\\nrate' });
  });

  it('are limited, with the number of further values', () => {
    const parameters = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, index]));
    expect(lineValues(step('a', 'f', 1, { variables: { parameters } })).at(-1)).toEqual({
      name: '…',
      text: '3 more',
    });
  });

  it('are empty if no object was captured', () => {
    expect(lineValues(step('a', 'f', 1))).toEqual([]);
    expect(lineValues(step('a', 'f', 1, { inputs: [1, 2] }))).toEqual([]);
  });
});
