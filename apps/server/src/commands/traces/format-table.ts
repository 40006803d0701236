import { formatDuration, type TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';

/** Maximum characters of a cell. The link is always complete. */
const MAX_CELL = 60;
const HEAD = ['TIME', 'STATUS', 'METHOD', 'ENDPOINT', 'DURATION', 'ERROR', 'LINK'];

/**
 * Formats traces as a table with aligned columns. Captured texts are shortened, and their control characters are escaped, so that they
 * can neither move the cursor nor change the terminal.
 */
export function formatTable(traces: readonly TraceRow[], url: string): string {
  const rows = [HEAD, ...traces.map((trace) => toCells(trace, url))];
  const widths = HEAD.map((_name, column) => Math.max(...rows.map((row) => countCharacters(row[column]))));
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function toCells({ _id, request, response, timing, error }: TraceRow, url: string): string[] {
  const texts = [
    formatTime(new Date(timing.startTime)),
    String(response.statusCode ?? '–'),
    request.method,
    request.route ?? request.path,
    formatDuration(timing.duration),
    error.errorMessage ?? error.errorCode ?? '',
  ];
  return [...texts.map(shorten), `${url}/traces/${_id}`];
}

/** Formats a time in the time zone of the terminal, as `2026-01-31 09:30:00`. */
function formatTime(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

function shorten(text: string): string {
  const characters = [...escapeControlCharacters(text.toWellFormed())];
  return characters.length <= MAX_CELL
    ? characters.join('')
    : `${characters.slice(0, MAX_CELL - 1).join('')}…`;
}

function countCharacters(text = ''): number {
  return [...text].length;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(width - countCharacters(text));
}
