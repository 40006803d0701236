import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { INGEST_LIMITS, showMax } from '@throughline/contract';

/** A line of an exported file that is not blank. */
export interface TraceLine {
  /** The line number in the file, starting from 1. */
  readonly number: number;
  readonly text: string;
  /** Why the line cannot be sent, and how to fix the line; undefined if the line can be sent. */
  readonly fault: string | undefined;
}

const MAX_LINE_BYTES = INGEST_LIMITS.unpackedBytes.max;

const TOO_LONG = `is longer than ${showMax('unpackedBytes', MAX_LINE_BYTES)}, more than a server accepts. Is the file an export, with one trace per line?`;
const NOT_UTF8 =
  'contains bytes that are not UTF-8. Convert the file to UTF-8 and import the file again; traces that are already stored are not stored twice.';

/** Reads the lines of an exported file. The text of a line that cannot be sent is empty. */
export async function* readTraceLines(source: Readable): AsyncGenerator<TraceLine> {
  let number = 0;
  for await (const line of splitLines(source)) {
    number += 1;
    if (line === undefined) yield { number, text: '', fault: TOO_LONG };
    else if (line.trim() !== '') yield { number, ...decodeLine(Buffer.from(line, 'latin1')) };
  }
}

/**
 * Yields each line as latin1 text, in which each character is one byte of the line. Yields undefined for a line that is too long, and drops
 * its bytes.
 */
async function* splitLines(source: Readable): AsyncGenerator<string | undefined> {
  let begun: string | undefined = '';
  const join = (start: string | undefined, end: string) =>
    start === undefined || start.length + end.length > MAX_LINE_BYTES ? undefined : start + end;
  for await (const piece of source.setEncoding('latin1')) {
    const [first = '', ...others] = String(piece).split('\n');
    begun = join(begun, first);
    for (const line of others) {
      yield begun;
      begun = line;
    }
  }
  if (begun !== '') yield begun;
}

function decodeLine(bytes: Buffer): Omit<TraceLine, 'number'> {
  if (!isUtf8(bytes)) return { text: '', fault: NOT_UTF8 };
  const text = bytes.toString().replace(/^\uFEFF/, '');
  try {
    JSON.parse(text);
    return { text, fault: undefined };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { text: '', fault: `is not JSON: ${why}. Is the line complete?` };
  }
}
