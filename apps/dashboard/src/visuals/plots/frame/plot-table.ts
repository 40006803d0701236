type Cell = string | number | null;

export interface PlotColumn {
  readonly name: string;
  /** The unit in the column's heading, on the page and in a file: "ms". */
  readonly unit?: string;
  /** Formats a figure for the page; without it the figure is shown unchanged. */
  readonly write?: (figure: number) => string;
  /** Formats a figure for a file; without it the figure is written unchanged. */
  readonly inFile?: (figure: number) => string;
}

/** The data of a chart, for assistive technology and for CSV. */
export interface PlotTable {
  readonly columns: readonly PlotColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

export function formatHead({ name, unit }: PlotColumn): string {
  return unit === undefined ? name : `${name} (${unit})`;
}

/** Returns a cell's text for the page; an unknown value is a dash. */
export function formatCell(cell: Cell | undefined, column: PlotColumn | undefined): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'string') return cell;
  return column?.write?.(cell) ?? String(cell);
}

/** Formats a table as CSV (RFC 4180): lines end with CR LF; an unknown value is empty. */
export function formatCsv({ columns, rows }: PlotTable): string {
  const lines = [columns.map((column) => escapeCsv(formatHead(column)))];
  for (const row of rows) {
    lines.push(
      columns.map((column, place) => {
        const cell = row[place] ?? null;
        if (cell === null) return '';
        return typeof cell === 'string' ? escapeCsv(cell) : (column.inFile?.(cell) ?? String(cell));
      }),
    );
  }
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/**
 * Spreadsheets run a cell as a formula if it begins with one of these characters or its full-width form. A captured value can begin with
 * any of them, so such a cell gets an apostrophe in front.
 */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

function escapeCsv(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
