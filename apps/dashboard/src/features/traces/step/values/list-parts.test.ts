import type { CapturedValue, Step } from '@throughline/contract';
import { expect, it } from 'vitest';
import { listParts } from './list-parts.ts';

function build(given: Partial<Step>): Step {
  return { stepId: 's', error: null, ...given } as Step;
}
const shown = (step: Step) =>
  listParts(step)
    .parts.filter(({ value }) => value !== undefined)
    .map(({ title, note }) => (note === undefined ? title : `${title} ${note}`));

it('inputs that the call did not change are shown once, as parameters', () => {
  const inputs = { country: 'UK', cart: [1, 2] };
  const step = build({
    inputs,
    variables: { capturedAt: 'throw', parameters: inputs, localVariables: { a: 1 } },
  });
  expect(shown(step)).toEqual(['Parameters unchanged during the call', 'Local variables when it threw']);
  expect(listParts(step).changed).toEqual([]);
});

it('parameters that the call changed are listed with the value before and after', () => {
  const step = build({
    inputs: { cart: { total: 10, items: [1] } },
    variables: { capturedAt: 'return', parameters: { cart: { total: 12, items: [1], discount: 2 } } },
  });
  expect(shown(step)).toEqual(['Parameters']);
  expect(listParts(step).changed).toEqual([
    { path: ['cart', 'total'], left: 10, right: 12 },
    { path: ['cart', 'discount'], left: undefined, right: 2 },
  ]);
});

it('inputs are shown in full if many fields of the parameters changed during the call', () => {
  const count = (from: number): CapturedValue => Array.from({ length: 30 }, (_, at) => from + at);
  const step = build({ inputs: { list: count(0) }, variables: { parameters: { list: count(100) } } });
  expect(shown(step)).toEqual(['Parameters', 'Inputs at entry']);
  expect(listParts(step).changed).toEqual([]);
});

it('only inputs are shown if no parameters were captured', () => {
  expect(shown(build({ inputs: { query: 'SELECT 1' } }))).toEqual(['Inputs at entry']);
});

it('a return value is shown once; outputs are shown only if they differ from the return value', () => {
  expect(shown(build({ outputs: 3, variables: { returnValue: 3 } }))).toEqual(['Return value']);
  expect(shown(build({ outputs: { rows: 3 }, variables: { returnValue: 3 } }))).toEqual([
    'Return value',
    'Outputs',
  ]);
  expect(shown(build({ outputs: { rows: 3 } }))).toEqual(['Outputs']);
});

it("inputs and outputs that equal the step's parameters and return value are left out, instead of being listed without a value", () => {
  const step = build({ inputs: { a: 1 }, outputs: 2, variables: { parameters: { a: 1 }, returnValue: 2 } });
  const titles = listParts(step).parts.map(({ title }) => title);
  expect(titles).not.toContain('Inputs');
  expect(titles).not.toContain('Outputs');
});
