type Cell = string | number | null;

export interface PlotColumn {
  readonly name: string;
  /** As the column's head gives it, here and in a file: "ms". */
  readonly unit?: string;
  /** How a figure is written on the screen; as it is without. */
  readonly write?: (figure: number) => string;
  /** How a figure is written in a file; as it is without. */
  readonly inFile?: (figure: number) => string;
}

/** The data of a chart as figures, for assistive technology and as CSV. */
export interface PlotTable {
  readonly columns: readonly PlotColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

export function formatHead({ name, unit }: PlotColumn): string {
  return unit === undefined ? name : `${name} (${unit})`;
}

/** A cell as the screen shows it; what is not known is a dash. */
export function cellText(cell: Cell | undefined, column: PlotColumn | undefined): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'string') return cell;
  return column?.write?.(cell) ?? String(cell);
}

/** A table as CSV (RFC 4180): lines end with CR LF; what is not known is empty. */
export function formatCsv({ columns, rows }: PlotTable): string {
  const lines = [columns.map((column) => csvText(formatHead(column)))];
  for (const row of rows) {
    lines.push(
      columns.map((column, place) => {
        const cell = row[place] ?? null;
        if (cell === null) return '';
        return typeof cell === 'string' ? csvText(cell) : (column.inFile?.(cell) ?? String(cell));
      }),
    );
  }
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** Spreadsheets run a cell that begins so, wherever its text came from; the wide forms, too. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
