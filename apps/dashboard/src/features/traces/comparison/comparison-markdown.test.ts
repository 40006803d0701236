import type { TraceComparison, TraceRow } from '@throughline/contract';
import { expect, it } from 'vitest';
import { writeComparisonMarkdown } from './comparison-markdown.ts';

function buildRow(path: string, statusCode: number | null): TraceRow {
  return {
    _id: '018f5a3e-0000-7000-8000-000000000001',
    request: { method: 'POST', path },
    response: { statusCode },
    timing: { duration: 20 },
  } as unknown as TraceRow;
}

const value: TraceComparison['values'][number] = {
  step: 'taxFor',
  other: 'taxFor',
  part: 'inputs',
  path: 'country',
  keys: ['country'],
  value: '"UK"',
  otherValue: '"GB"',
  unusual: true,
};

function buildComparison(more: Partial<TraceComparison>): TraceComparison {
  return {
    other: buildRow('/checkout', 200),
    reason: 'Nearest successful request of this endpoint, 1 minute earlier',
    learnedFrom: 3,
    statements: [{ text: 'country is "UK", otherwise "GB"', step: 'taxFor', other: 'taxFor' }],
    steps: [],
    values: [],
    valuesRead: 'compared',
    more: false,
    ...more,
  };
}

const write = (more: Partial<TraceComparison>) =>
  writeComparisonMarkdown(buildRow('/checkout', null), buildComparison(more), 'https://t.example/traces/1');

it("the comparison's Markdown has both requests, the reason for the choice of the other request, the first difference and the unusual values", () => {
  expect(write({ values: [value, { ...value, path: 'id', unusual: false }] })).toBe(
    [
      '### POST /checkout (no response, 20 ms) compared with POST /checkout (200, 20 ms)',
      'Nearest successful request of this endpoint, 1 minute earlier.',
      '- country is "UK", otherwise "GB"',
      '| step | value | this request | other request |\n| --- | --- | --- | --- |\n| taxFor | inputs country | "UK" | "GB" |',
      '[Open comparison](https://t.example/traces/1)\n',
    ].join('\n\n'),
  );
});

it('in the Markdown of a comparison, captured strings cannot end a table cell, create a link or create an element', () => {
  const text = write({ values: [{ ...value, value: '|x|\n[a](javascript:1) <img src=x>' }] });
  expect(text).toContain(String.raw`\|x\|`);
  expect(text).not.toMatch(/(?<!\\)\[a\]|(?<!\\)<img/);
  expect(text.split('\n').filter((line) => line.startsWith('| taxFor'))).toHaveLength(1);
});

it('the Markdown of a comparison has no reason if the comparison has none, and no table if no value is unusual', () => {
  expect(write({ reason: null })).not.toMatch(/\| step|Nearest/);
});

it('the Markdown of a comparison lists at most twenty values', () => {
  const values = Array.from({ length: 30 }, (_, at) => ({ ...value, path: `items[${at}]` }));
  expect(write({ values }).match(/^\| taxFor/gm)).toHaveLength(20);
});
