import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCell, formatCsv, type PlotTable } from './plot-table.ts';

const table = (rows: PlotTable['rows'], columns: PlotTable['columns'] = [{ name: 'Name' }]): PlotTable => ({
  columns,
  rows,
});

describe('a CSV file', () => {
  it.each([
    ['=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
    ['+1', "'+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['  =1', "'  =1"],
    ['\r=1', `"'\r=1"`],
    ['＝1', "'＝1"],
    ['GET /orders', 'GET /orders'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['a=b', 'a=b'],
    ['Ω 漢字 🙂', 'Ω 漢字 🙂'],
  ])('contains %j in a form that no spreadsheet executes', (text, written) => {
    expect(formatCsv(table([[text]]))).toBe(`Name\r\n${written}\r\n`);
  });

  it('has units in its header, numbers in full precision, and empty cells for unknown values', () => {
    const columns = [
      { name: 'Time', inFile: (ms: number) => new Date(ms).toISOString(), write: () => 'today' },
      { name: 'P95', unit: 'ms', write: (ms: number) => `${Math.round(ms)} ms` },
    ];
    expect(formatCsv(table([[0, 12.345], [60_000, null], [1]], columns))).toBe(
      'Time,P95 (ms)\r\n1970-01-01T00:00:00.000Z,12.345\r\n1970-01-01T00:01:00.000Z,\r\n1970-01-01T00:00:00.001Z,\r\n',
    );
    expect(formatCell(12.345, columns[1])).toBe('12 ms');
    expect(formatCell(null, columns[1])).toBe('–');
    expect(formatCell('=1', columns[0])).toBe('=1');
  });

  it('contains negative numbers unchanged', () => {
    expect(formatCsv(table([[-3]]))).toBe('Name\r\n-3\r\n');
  });

  it('can be parsed back to the same strings, except that formulas begin with an additional apostrophe', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\'",; \t\r\na') }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 })), (rows) => {
        const read = readCsv(formatCsv(table(rows, [{ name: 'a' }, { name: 'b' }])));
        const isFormula = (cell: string) =>
          [...'=+-@＝＋－＠'].some((sign) => cell.trimStart().startsWith(sign)) ||
          ['\t', '\r', '\n'].some((sign) => cell.startsWith(sign));
        expect(read.slice(1)).toEqual(
          rows.map((row) => row.map((cell) => (isFormula(cell) ? `'${cell}` : cell))),
        );
      }),
    );
  });
});

/** Parses CSV (RFC 4180) character by character. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === ',') {
      row.push(cell);
      cell = '';
    } else if (sign === '\r' && text[at + 1] === '\n') {
      row.push(cell);
      rows.push(row);
      [row, cell] = [[], ''];
      at += 1;
    } else cell += sign;
  }
  return rows;
}
