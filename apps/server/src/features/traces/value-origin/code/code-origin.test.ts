import type { SourceFunction } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { findCodeOrigin } from './code-origin.ts';
import type { CodePlace, CodeQuestion } from './code-question.ts';

const place = (more: Partial<CodePlace> = {}): CodePlace => ({
  stepId: 's1',
  name: 'taxFor',
  file: 'src/orders.ts',
  line: 10,
  variable: 'rate',
  role: 'own',
  ...more,
});

type Asked = Partial<CodePlace> & { readonly value: string | number | undefined };

/** Asks where a value of the function `taxFor` came from. The source code of the function begins at line 10. */
function ask(text: string | undefined, { value, ...more }: Asked) {
  return askAll([{ ...place(more), text }], value);
}

function askAll(
  places: readonly (CodePlace & { readonly text: string | undefined })[],
  value: Asked['value'],
) {
  const sources = new Map<CodePlace, SourceFunction>();
  for (const each of places)
    if (each.text !== undefined) sources.set(each, { line: each.line, text: each.text });
  const question: CodeQuestion = {
    subject: 'rate',
    literal:
      value === undefined
        ? undefined
        : { kind: typeof value === 'string' ? 'text' : 'number', text: `${value}` },
    places,
  };
  return findCodeOrigin(question, sources);
}

const body = (...lines: readonly string[]) => ['function taxFor(country) {', ...lines, '}'].join('\n');

describe('a constant', () => {
  it('is the origin of an equal number or text; the line of the constant and the way in which the origin is known are returned', () => {
    expect(ask(body('  // 0.1925', '  const rate = 0.1925;', '  return rate;'), { value: 0.1925 })).toEqual({
      code: { kind: 'constant', stepId: 's1', file: 'src/orders.ts', lines: [12] },
      sentence:
        '`rate` came from a constant in `taxFor` (orders.ts:12): equal to the literal in the source text',
    });
    for (const line of [
      "const rate: string = 'VAT-19';",
      'const rate = `VAT-19`;',
      'const rates = { rate: "VAT-19" };',
      "let rate; rate ??= 'VAT-19';",
      "return country ? 'VAT-19' : other;",
      "return ['VAT-19'];",
      "return ('VAT-19');",
    ])
      expect(ask(body(line), { value: 'VAT-19' })?.code, line).toMatchObject({
        kind: 'constant',
        lines: [11],
      });
  });

  it('can be a negative or hexadecimal number, a number with separators, or a bigint', () => {
    for (const [text, value] of [
      ['-4711', -4711],
      ['1_000_500', 1_000_500],
      ['0xbeef', 48879],
      ['4711n', 4711],
    ] as const)
      expect(ask(body(`const rate = ${text};`), { value })?.code, text).toMatchObject({ lines: [11] });
    expect(ask(body('const rate = -4711;'), { value: 4711 })).toBeUndefined();
    expect(ask(body('const rate = total - 4711;'), { value: -4711 })).toBeUndefined();
  });

  it('is not the origin if the code only compares a value with the constant, calculates with the constant, or uses the constant as a key', () => {
    for (const line of [
      "if (rate === 'VAT-19') return;",
      "if ('VAT-19' !== rate) return;",
      "switch (rate) { case 'VAT-19': return; }",
      "if (known.includes('VAT-19')) return;",
      "const found = table['VAT-19'];",
      "const found = { 'VAT-19': load() };",
      "const found = 'VAT-19' + suffix;",
      "const rate = load() as 'VAT-19';",
      "const pick = (kind: 'VAT-19') => kind;",
      "log('VAT-19');",
      "// 'VAT-19'",
      "const other = 'VAT-1' + '9';",
    ])
      expect(ask(body(line), { value: 'VAT-19' }), line).toBeUndefined();
    expect(ask(body('return total * 1.25;'), { value: 1.25 })).toBeUndefined();
  });

  it('is returned with the line that assigns it to the variable or, without such a line, with all its lines; a constant in more than three lines is not the origin', () => {
    const twice = body("const other = 'VAT-19';", "const rate = 'VAT-19';");
    expect(ask(twice, { value: 'VAT-19' })?.code.lines).toEqual([12]);
    const results = body("if (a) return 'VAT-19';", "return 'VAT-19';");
    expect(ask(results, { value: 'VAT-19', variable: undefined })?.sentence).toContain('(orders.ts:11, 12)');
    const many = body(...Array.from({ length: 4 }, () => "if (a) return 'VAT-19';"));
    expect(ask(many, { value: 'VAT-19', variable: undefined })).toBeUndefined();
  });

  it('that a caller passes is the origin of a received value, unless the default of the parameter is equal to it', () => {
    const own = (text: string) => ({ ...place({ role: 'received' }), text });
    const caller = (text: string | undefined) => ({
      ...place({ role: 'caller', stepId: 's0', name: 'price', file: 'src/price.ts', line: 30 }),
      text,
    });
    const plain = "function taxFor(rate) {\n  if (rate === 'VAT-19') log('VAT-19');\n}";
    const passing = "function price() {\n  return taxFor('VAT-19');\n}";
    expect(askAll([own(plain), caller(passing)], 'VAT-19')?.code).toEqual({
      kind: 'constant',
      stepId: 's0',
      file: 'src/price.ts',
      lines: [31],
    });
    const byDefault = "function taxFor(rate: string = 'VAT-19') {}";
    expect(
      askAll([own(byDefault), caller('function price() {\n  return taxFor();\n}')], 'VAT-19')?.code,
    ).toMatchObject({
      stepId: 's1',
      lines: [10],
    });
    expect(askAll([own(byDefault), caller(passing)], 'VAT-19')).toBeUndefined();
    expect(askAll([own(plain), caller(undefined)], 'VAT-19')).toBeUndefined();
  });
});

describe('an environment variable', () => {
  it('is the origin of the variable or property to which it is assigned; the line and the way in which the origin is known are returned', () => {
    expect(ask(body('const rate = process.env.TAX_RATE;'), { value: undefined })).toEqual({
      code: { kind: 'environment', stepId: 's1', file: 'src/orders.ts', lines: [11] },
      sentence:
        '`rate` came from the environment variable `TAX_RATE`, read in `taxFor` (orders.ts:11), as the source text shows',
    });
    for (const line of [
      "const rate = process.env['TAX_RATE'];",
      'const rate: number = Number(process.env.TAX_RATE);',
      'const rate = Number.parseInt(process.env.TAX_RATE, 10)',
      'const rate = +process.env.TAX_RATE!;',
      "const rate = process.env.TAX_RATE ?? 'none';",
      "const rate = process.env.TAX_RATE || '0.07'\n  const next = 1",
      'const rate = process.env.TAX_RATE as string;',
      'return { rate: process.env.TAX_RATE, other };',
      'const { TAX_RATE: rate } = process.env;',
      "const { HOME, TAX_RATE: rate = 'none' } = process.env;",
    ])
      expect(ask(body(line), { value: '0.0725' })?.sentence, line).toContain('`TAX_RATE`');
    expect(
      ask(body('const { TAX_RATE } = process.env;'), { value: '7', variable: 'TAX_RATE' })?.code.kind,
    ).toBe('environment');
  });

  it('is not the origin if other code can have changed or replaced its value', () => {
    for (const line of [
      'const rate = process.env.TAX_RATE ?? loadRate();',
      'const rate = process.env.TAX_RATE ? first() : second();',
      'const rate = parse(process.env.TAX_RATE);',
      'const rate = process.env.TAX_RATE + 1;',
      'const rate = process.env[name];',
      'const other = process.env.TAX_RATE;',
      'config.rate = process.env.TAX_RATE.trim();',
      'const { OTHER } = process.env;',
    ])
      expect(ask(body(line), { value: undefined }), line).toBeUndefined();
  });

  it('is not the origin if the value is equal to the literal that replaces a missing environment variable', () => {
    const line = "const rate = process.env.TAX_RATE ?? 'VAT-19';";
    expect(ask(body(line), { value: 'VAT-19' })).toBeUndefined();
    expect(ask(body(line), { value: 'VAT-21' })?.code.kind).toBe('environment');
  });
});

it('no origin is found without source code, in code without a constant or environment variable, and in code that cannot be parsed', () => {
  expect(ask(undefined, { value: 'VAT-19' })).toBeUndefined();
  expect(ask(body('const rate = load();'), { value: 'VAT-19' })).toBeUndefined();
  expect(ask("}} '", { value: 'VAT-19' })).toBeUndefined();
});
