import { MAX_ROW_TEXT, type TraceRow } from '@throughline/contract';

export function estimateBytes({ request, error, userId, sessionId, instance }: TraceRow): number {
  const texts = [request.path, request.route, error.errorMessage, userId, sessionId, instance];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 600);
}

/** Formats rows as events. Each row is formatted once for all viewers. */
export class RowEvents {
  readonly #made = new WeakMap<TraceRow, Buffer>();

  of(row: TraceRow): Buffer {
    const made = this.#made.get(row);
    if (made !== undefined) return made;
    const event = Buffer.from(`event: trace\nid: ${row._id}\ndata: ${JSON.stringify(row)}\n\n`);
    this.#made.set(row, event);
    return event;
  }
}

/** Shortens a row as in lists, which contain only the beginning of an error's message and code. */
export function shortenRow(row: TraceRow): TraceRow {
  const { errorMessage, errorCode } = row.error;
  if ((errorMessage?.length ?? 0) <= MAX_ROW_TEXT && (errorCode?.length ?? 0) <= MAX_ROW_TEXT) return row;
  const error = { ...row.error, errorMessage: shorten(errorMessage), errorCode: shorten(errorCode) };
  return { ...row, error };
}

/** Shortens a text to `MAX_ROW_TEXT` code points, as ClickHouse's substringUTF8 does. */
function shorten(text: string | null): string | null {
  return text === null ? null : [...text.slice(0, 2 * MAX_ROW_TEXT)].slice(0, MAX_ROW_TEXT).join('');
}
