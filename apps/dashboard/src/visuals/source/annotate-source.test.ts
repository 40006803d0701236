import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aStep } from '../steps/step.fixture.ts';
import { annotateSource } from './annotate-source.ts';

const TAX = `  async taxFor(country: string, order: Order) {
    const entry = this.table.get(country);
    const rate = entry.rate;
    const label = { rate: 'x', country };
    return order.lines.length * rate; // rate
  }`;

const UNDEFINED = { $type: 'undefined' } as const;
const TABLE = {
  $type: 'Map',
  size: 2,
  entries: [
    ['GB', { rate: 0.2 }],
    ['DE', { rate: 0.19 }],
  ],
} as const;

function annotate(more: Partial<Step>, { text = TAX, thrown, others = [] }: Partial<Asked> = {}) {
  const source = { line: 10, text };
  const lines = annotateSource({
    source,
    file: 'src/tax.ts',
    step: aStep('a', { filePath: 'src/tax.ts', lineNumber: 10, ...more }),
    thrown,
    children: [],
    others: [source, ...others],
  });
  return lines.map((line) => ({
    ...line,
    code: line.tokens.map((token) => token.text).join(''),
    values: line.values.map(({ label, text: shown, when = '' }) => `${label} ${shown} ${when}`.trimEnd()),
    positions: line.values.map(({ label, at }) => [label, at] as const),
  }));
}

interface Asked {
  readonly text: string;
  readonly thrown: number | undefined;
  readonly others: readonly { readonly line: number; readonly text: string }[];
}

const FAILED = {
  functionName: 'Taxes.taxFor',
  error: {
    name: 'TypeError',
    message: "Cannot read properties of undefined (reading 'rate')\nmore",
    stack:
      "TypeError: Cannot read properties of undefined (reading 'rate')\nmore\n    at Taxes.taxFor (/app/src/tax.ts:12:24)",
  },
  variables: {
    capturedAt: 'throw',
    parameters: { country: 'UK', order: { lines: [1, 2, 3] } },
    localVariables: { entry: UNDEFINED },
    thisContext: { $type: 'object', class: 'Taxes', properties: { table: TABLE } },
  },
} satisfies Partial<Step>;

describe('the lines of a function', () => {
  it('show the values that they bind or read, and mark the line that threw and the lines that were not reached', () => {
    const lines = annotate(FAILED, { thrown: 12 });
    expect(lines.map(({ number, code }) => [number, code])).toEqual([
      [10, 'async taxFor(country: string, order: Order) {'],
      [11, '  const entry = this.table.get(country);'],
      [12, '  const rate = entry.rate;'],
      [13, "  const label = { rate: 'x', country };"],
      [14, '  return order.lines.length * rate; // rate'],
      [15, '}'],
    ]);
    expect(lines.map(({ values }) => values)).toEqual([
      ['country "UK"', 'order { lines: Array(3) }'],
      ['entry undefined', 'this.table Map(2) without key "UK"', 'country "UK"'],
      ['entry undefined', "threw TypeError: Cannot read properties of undefined (reading 'rate')"],
      [],
      [],
      [],
    ]);
    expect(lines.filter(({ isThrown }) => isThrown).map(({ number }) => number)).toEqual([12]);
    expect(lines.map(({ isRun }) => isRun)).toEqual([undefined, true, true, false, false, undefined]);
  });

  it('have the positions of the values that can be followed through the request', () => {
    const list = { $type: 'object', class: 'Taxes', properties: { name: 'vat' } } as const;
    const text =
      'function f(order, isPaid) {\n  use(this.name, order.id, order.lines.length, order.gone);\n  return x;\n}';
    const listPositions = (more: Partial<Step>) =>
      annotate(more, { text })
        .flatMap(({ positions }) => positions)
        .map(([label, at]) => [label, at && [at.place, ...at.path]]);
    const order = { id: 'o-71', lines: [1, 2] };
    const variables = {
      parameters: { order, isPaid: true },
      localVariables: { 'x@10': 'one' },
      thisContext: list,
      returnValue: 'one',
    };
    expect(listPositions({ variables })).toEqual([
      ['order', ['parameters', 'order']],
      ['isPaid', undefined],
      ['this.name', ['thisContext', 'name']],
      ['order.id', ['parameters', 'order', 'id']],
      ['order.lines.length', undefined],
      ['order.gone', undefined],
      ['x', ['localVariables', 'x@10']],
      ['returned', ['returnValue']],
    ]);
    expect(listPositions({ inputs: { order }, outputs: 'one' })).toEqual([
      ['order', ['inputs', 'order']],
      ['order.id', ['inputs', 'order', 'id']],
      ['order.lines.length', undefined],
      ['order.gone', undefined],
      ['returned', ['outputs']],
    ]);
  });

  it('show the return value if the function has exactly one return statement', () => {
    const variables = { parameters: {}, localVariables: { rate: 0.2 }, returnValue: 0.6 };
    expect(annotate({ variables }).at(-2)?.values).toEqual(['rate 0.2', 'returned 0.6']);
    const two = 'function f() {\n  if (rate) return 1;\n  return 2;\n}';
    expect(annotate({ variables }, { text: two }).flatMap(({ values }) => values)).toEqual(['rate 0.2']);
    const arrow = '(rate) =>\n  rate * 3';
    expect(annotate({ variables }, { text: arrow }).at(-1)?.values).toEqual(['rate 0.2', 'returned 0.6']);
  });

  it('have no values inside nested functions, whose values belong to other calls', () => {
    const text =
      'function f(rate) {\n  list.map((price) => {\n    const sum = rate * price;\n    return sum;\n  });\n}';
    const inner = { line: 11, text: text.split('\n').slice(1, 5).join('\n') };
    const variables = { parameters: { rate: 2 }, localVariables: {}, returnValue: UNDEFINED };
    const values = annotate({ variables }, { text, others: [inner] }).map((line) => line.values);
    expect(values).toEqual([['rate 2'], [], [], [], [], []]);
    expect(annotate({ variables }, { text })[2]?.values).toEqual(['rate 2']);
  });

  it('distinguish bindings of the same name by their lines', () => {
    const text = 'function f(n) {\n  let x = n;\n  {\n    const x = 2;\n    use(x);\n  }\n}';
    const variables = { parameters: { n: 1 }, localVariables: { 'x@11': 1, 'x@13': 2 } };
    expect(annotate({ variables }, { text }).map((line) => line.values)).toEqual([
      ['n 1'],
      ['x 1', 'n 1'],
      [],
      ['x 2'],
      ['x 2'],
      [],
      [],
    ]);
  });

  it('show a missing property of a plain object as undefined, unless the object was captured only in part', () => {
    const text =
      'function f(a, b) {\n  return a.total + b.total + a.toString + a.list.length + a.run(b.id);\n}';
    const variables = {
      parameters: { a: { list: 'abc' }, b: { $type: 'object', size: 30, properties: { id: 7 } } },
      localVariables: {},
    } as const;
    expect(annotate({ variables }, { text })[1]?.values).toEqual([
      'a.total undefined',
      'b { id: 7, … }',
      'a { list: "abc" }',
      'a.list.length 3',
      'b.id 7',
    ]);
  });

  it('show the value of a changed parameter at entry, and mark values that the variable has only at the end', () => {
    const text = [
      'function f(n, order, list) {',
      '  let total = n;',
      '  check(n, order);',
      '  n += 1;',
      '  for (const one of list) {',
      '    log(total);',
      '    total += one;',
      '  }',
      '  log(n, order.paid, order.id);',
      '  return total;',
      '}',
    ].join('\n');
    const inputs = { n: 2, order: { id: 7, paid: false }, list: [1] };
    const parameters = { n: 3, order: { id: 7, paid: true }, list: [1] };
    const variables = { parameters, localVariables: { total: 3, one: 1 }, returnValue: 3 };
    expect(annotate({ inputs, variables }, { text }).map((line) => line.values)).toEqual([
      ['n 2 at entry', 'order { id: 7, paid: false } at entry', 'list [1]'],
      ['total 3 at the end', 'n 2'],
      ['n 2', 'order { id: 7, paid: true } at the end'],
      ['n 3'],
      ['one 1', 'list [1]'],
      ['total 3 at the end'],
      ['total 3', 'one 1'],
      [],
      ['n 3', 'order.paid true at the end', 'order.id 7'],
      ['total 3', 'returned 3'],
      [],
    ]);
  });

  it.each([
    ['total -= 1;', true],
    ['total++;', true],
    ['--total;', true],
    ['[total, n] = [n, total];', true],
    ['({ total } = n);', true],
    ['total.push(1);', true],
    ['total.a.b = 1;', true],
    ['total[n] = 1;', true],
    ['delete total.a;', true],
    ['run(() => {\n    total = 1;\n  });', true],
    ['n.total = 1;', false],
    ['n[total] = 1;', false],
    ['if (total === 1 || total >= 2) run({ total: 1 });', false],
    ['const one = total;', false],
    ['throw total;\n  total = 1;', false],
  ])('treat %j as a change of a variable: %j', (code, isChanged) => {
    const text = `function f(n) {\n  let total = n;\n  ${code}\n}`;
    const error = { name: 'E', message: 'no', stack: 'E: no\n    at f (/app/src/tax.ts:12:3)' };
    const step = { functionName: 'f', ...(code.startsWith('throw') && { error }) };
    const variables = { parameters: { n: [1] }, localVariables: { total: 4 } };
    expect(annotate({ ...step, variables }, { text, thrown: 12 })[1]?.values[0]).toBe(
      isChanged ? 'total 4 at the end' : 'total 4',
    );
  });

  it('form the text of the function when joined, for any source code and any values', () => {
    const piece = fc.constantFrom(
      "'",
      '`',
      '$',
      '{',
      '}',
      '(',
      ')',
      '.',
      '\n',
      ' ',
      'rate',
      'this',
      'return',
      '=>',
      ':',
      '/',
      '__proto__',
      'constructor',
      '?.',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.option(fc.integer({ min: 9, max: 20 })),
        (pieces, thrown) => {
          const text = `x${pieces.join('')}`;
          const variables = {
            parameters: { rate: null, ['__proto__']: 1 },
            localVariables: { constructor: 'a' },
          };
          const lines = annotate({ variables }, { text, thrown: thrown ?? undefined });
          expect(lines.map(({ code }) => code).join('\n')).toBe(text);
        },
      ),
    );
  });
});
