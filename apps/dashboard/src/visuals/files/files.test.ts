import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep } from '../steps/step.fixture.ts';
import { callBeside, chooseShownCall, groupStepsByFile, orderLines } from './file-lines.ts';
import { listLineValues } from './line-values.ts';

const step = (
  stepId: string,
  filePath: string | null,
  lineNumber: number | null,
  more: Partial<Step> = {},
): Step => aStep(stepId, { filePath, lineNumber, ...more });

const build = (...flow: Step[]) => aForest(flow.map((each, sequence) => ({ ...each, sequence })));

describe('steps by file and line', () => {
  it('are grouped by file in order of first call, and sorted by line within a file', () => {
    const files = groupStepsByFile(
      build(
        step('query', null, null),
        step('tax', 'src/tax.ts', 18),
        step('cart1', 'src/cart.ts', 40),
        step('head', 'src/tax.ts', 3),
        step('cart2', 'src/cart.ts', 40, { error: { message: 'x' } }),
      ),
    );
    expect(
      files.map(({ path, lines }) => [path, lines.map(({ line, calls }) => `${line} ×${calls}`)]),
    ).toEqual([
      ['src/tax.ts', ['3 ×1', '18 ×1']],
      ['src/cart.ts', ['40 ×2']],
      [null, ['null ×1']],
    ]);
  });

  it('are in the order of first calls if this order is chosen', () => {
    const [file] = groupStepsByFile(
      build(step('b', 'f', 9), step('a', 'f', 2), step('c', 'f', 5), step('a2', 'f', 2)),
    );
    if (file === undefined) throw new Error('there is a file');
    const listNames = (order: 'calls' | 'lines') => orderLines(file, order).map(({ nodes }) => nodes[0]?.key);
    expect(listNames('calls')).toEqual(['b', 'a', 'c']);
    expect(listNames('lines')).toEqual(['a', 'c', 'b']);
  });

  it('show one of several calls of a line: the selected call, or else the call that threw', () => {
    const [file] = groupStepsByFile(
      build(step('a1', 'f', 1), step('a2', 'f', 1, { error: { message: 'x' } }), step('a3', 'f', 1)),
    );
    const line = file?.lines[0];
    if (line === undefined) throw new Error('there is a line');
    expect(chooseShownCall(line, undefined)?.key).toBe('a2');
    const first = chooseShownCall(line, 'a1');
    expect(first?.key).toBe('a1');
    expect(first && callBeside(line, first, 1)?.key).toBe('a2');
    expect(first && callBeside(line, first, -1)).toBeUndefined();
  });

  it('are grouped as by a slow reference computation, for any steps', () => {
    const flows = fc.array(
      fc.record({
        file: fc.option(fc.constantFrom('a', 'b', '')),
        line: fc.option(fc.integer({ min: 1, max: 5 })),
        name: fc.constantFrom('f', 'g'),
        count: fc.constantFrom(1, 1, 4),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(flows, (flow) => {
        const files = groupStepsByFile(
          build(
            ...flow.map(({ file, line, name, count }, index) =>
              step(`${name}${index}`, file, line, {
                ...(count > 1 && { repeat: { count, minMs: 0, sumMs: 1, maxMs: 1 } }),
              }),
            ),
          ),
        );
        const steps = flow.map((one, index) => ({ ...one, id: `${one.name}${index}` }));
        const paths = [...new Set(steps.map(({ file }) => file))];
        const expected = [...paths.filter((path) => path !== null), ...paths.filter((path) => path === null)];
        expect(files.map(({ path }) => path)).toEqual(expected);
        for (const file of files) {
          const own = steps.filter((one) => one.file === file.path);
          expect(file.steps).toBe(own.length);
          const lines = [1, 2, 3, 4, 5, null].flatMap((line) =>
            [...new Set(own.map(({ name }) => name))].flatMap((name) => {
              const calls = own.filter((one) => one.line === line && one.name === name);
              return calls.length === 0 ? [] : [{ line, calls }];
            }),
          );
          // The functions of one line are in the order of their first calls.
          const findPlace = ({ calls }: (typeof lines)[number]) =>
            steps.findIndex(({ id }) => id === calls[0]?.id);
          lines.sort((a, b) => (a.line === b.line ? findPlace(a) - findPlace(b) : 0));
          expect(
            file.lines.map(({ line, nodes, calls }) => [line, nodes.map(({ key }) => key), calls]),
          ).toEqual(
            lines.map(({ line, calls }) => [
              line,
              calls.map(({ id }) => id),
              calls.reduce((sum, { count }) => sum + count, 0),
            ]),
          );
        }
        const keys = files.flatMap((file) => file.lines.map(({ key }) => key));
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe('the values next to a line', () => {
  it('are arguments, local variables and the return value', () => {
    const values = listLineValues(
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
    const values = listLineValues(
      step('a', 'f', 1, { inputs: { n: 1 }, outputs: 2, error: { message: 'no\nrate' } }),
    );
    expect(values.at(-1)).toEqual({ name: 'threw', text: 'no\\nrate' });
  });

  it('are limited in number, and the number of further values is shown', () => {
    const parameters = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, index]));
    expect(listLineValues(step('a', 'f', 1, { variables: { parameters } })).at(-1)).toEqual({
      name: '…',
      text: '3 more',
    });
  });

  it('are empty if no object was captured', () => {
    expect(listLineValues(step('a', 'f', 1))).toEqual([]);
    expect(listLineValues(step('a', 'f', 1, { inputs: [1, 2] }))).toEqual([]);
  });
});
