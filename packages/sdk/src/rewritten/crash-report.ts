import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { packageFolder } from '../config/package-folder.ts';
import type { Insertions } from './insertions.ts';
import type { RewrittenSources } from './sources.ts';

/** `    at async charge (file:///srv/pay.js:3:9)`. */
const framePlace = /^(\s+at (?:.*\()?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)(\)?)$/;
/** ES modules are named by their URLs, in which spaces and letters beyond ASCII are encoded. */
const ownPath = packageFolder();
const ownUrl = pathToFileURL(ownPath).href;
/** A `throw` is where V8 says that an error came from, though the stack names the place where it was made. */
const throwBefore = /\bthrow\b[^;{}]*$/;
const making = /^(?:new\b|\w*Error\()/;

interface Place {
  /** The file as the stack names it. */
  readonly named: string;
  readonly line: number;
  readonly column: number;
  /** The author's line. */
  readonly text: string;
}

/**
 * An error that ends the process is printed with the line that it came from, and what was put into a function throws the error once more, from its last line. So
 * the report is written here, from the author's source. Does nothing where Node does not print such a line, or where the process goes on.
 */
export function correctCrashReports(sources: RewrittenSources): void {
  if (!isMainThread) return;
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    try {
      if (isFatal() && process.sourceMapsEnabled !== true)
        correctReport(error, sources, origin === 'uncaughtException');
    } catch {
      // Node prints what it has.
    }
  });
}

const isFatal = (): boolean =>
  process.listenerCount('uncaughtException') === 0 && !process.hasUncaughtExceptionCaptureCallback();

function correctReport(error: unknown, sources: RewrittenSources, wasThrown: boolean): void {
  const corrected = correctStack(error, sources);
  if (corrected === null || !types.isNativeError(error)) return;
  const { top, stack } = corrected;
  markAsPrinted(error);
  error.stack = top === null ? stack : `${printedLine(top, wasThrown)}\n\n${stack}`;
  const seen = new Set<unknown>([error]);
  for (let { cause } = error; types.isNativeError(cause) && !seen.has(cause); { cause } = cause) {
    seen.add(cause);
    cause.stack = correctStack(cause, sources)?.stack ?? cause.stack ?? '';
  }
}

interface Corrected {
  readonly stack: string;
  /** The place at the top of it, where the file can be read. */
  readonly top: Place | null;
}

interface Source {
  readonly named: string;
  readonly lines: readonly string[];
  /** Null for code that runs as it is. */
  readonly insertions: Insertions | null;
}

/** The stack with the columns of the author's source; null where none of the author's code is on it, or it cannot be written. */
function correctStack(error: unknown, rewritten: RewrittenSources): Corrected | null {
  if (!types.isNativeError(error) || typeof error.stack !== 'string') return null;
  const descriptor = Object.getOwnPropertyDescriptor(error, 'stack');
  if (descriptor === undefined || (!descriptor.writable && descriptor.set === undefined)) return null;
  const sources = new Map<string, Source>();
  let top: Place | null | undefined;
  let isAuthors = false;
  const lines = error.stack.split('\n').flatMap((text) => {
    const found = framePlace.exec(text);
    if (found === null) return [text];
    if (text.includes(ownPath) || text.includes(ownUrl)) return [];
    const [, before = '', named = '', line = '', column = '', after = ''] = found;
    const source = sources.get(named) ?? readSource(named, rewritten, top === undefined);
    sources.set(named, source);
    const place = placeIn(source, Number(line), Number(column));
    top ??= place ?? null;
    if (place === null || source.insertions === null) return [text];
    isAuthors = true;
    return [`${before}${named}:${place.line}:${place.column}${after}`];
  });
  return isAuthors ? { stack: lines.join('\n'), top: top ?? null } : null;
}

/** Only the line at the top is shown of code that runs as it is. */
function readSource(named: string, rewritten: RewrittenSources, isTop: boolean): Source {
  const file = named.startsWith('file:') ? fileURLToPath(named) : named;
  const insertions = rewritten.ofFile(file) ?? null;
  const isRead = isTop || insertions !== null;
  return { named, lines: isRead ? readFileSync(file, 'utf8').split('\n') : [], insertions };
}

function placeIn({ named, lines, insertions }: Source, line: number, column: number): Place | null {
  const text = lines[line - 1];
  if (text === undefined) return null;
  if (insertions === null) return { named, line, column, text };
  let start = 0;
  for (let index = 0; index < line - 1; index++) start += (lines[index]?.length ?? 0) + 1;
  const original = insertions.originalOffset(start, column - 1) - start;
  // Another source was compiled from this file before it was instrumented.
  return original < 0 || original > text.length ? null : { named, line, column: original + 1, text };
}

/** The line as Node prints it, with a mark below the place. */
function printedLine({ named, line, column, text: whole }: Place, wasThrown: boolean): string {
  const text = whole.replace(/\r$/, '');
  const thrown =
    wasThrown && making.test(text.slice(column - 1)) ? throwBefore.exec(text.slice(0, column - 1)) : null;
  const marked = thrown?.index ?? column - 1;
  return `${named}:${line}\n${text}\n${text.slice(0, marked).replace(/\S/g, ' ')}^`;
}

/** `vm` writes the line of a script below which an error is thrown into the error's stack, once: Node prints none of its own then. */
function markAsPrinted(error: Error): void {
  try {
    vm.runInNewContext('throw error', { error }, { displayErrors: true });
  } catch {}
}
