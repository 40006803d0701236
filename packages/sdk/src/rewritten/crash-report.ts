import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import type { Insertions } from '../positions/insertions.ts';
import { findPackageFolder } from '../project/package-folder.ts';
import type { RewrittenSources } from './sources.ts';

/** Matches `    at async charge (file:///srv/pay.js:3:9)`. */
const framePlace = /^(\s+at (?:.*\()?)((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)(\)?)$/;
/** The SDK's folder, as a path and as a URL. Stack frames name ES modules by URL, in which spaces and non-ASCII letters are encoded. */
const ownPath = findPackageFolder();
const ownUrl = pathToFileURL(ownPath).href;
/**
 * Matches the `throw` before the position of an error in its line. V8 marks the `throw` when it is executed, but the stack contains the
 * position at which the error was created, such as the `new` in `throw new Error()`.
 */
const throwBefore = /\bthrow\b[^;{}]*$/;
const making = /^(?:new\b|\w*Error\()/;

interface Place {
  /** The file name as in the stack. */
  readonly named: string;
  readonly line: number;
  readonly column: number;
  /** The whole line of the author's source. */
  readonly text: string;
}

/**
 * Corrects Node's crash report. When an error ends the process, Node prints the line that threw the error, but injected code rethrows
 * errors from a function's last line. So this function builds the report from the author's source. It does nothing if Node prints no such
 * line or the process continues.
 */
export function correctCrashReports(sources: RewrittenSources): void {
  if (!isMainThread) return;
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    try {
      if (isFatal() && process.sourceMapsEnabled !== true)
        correctReport(error, sources, origin === 'uncaughtException');
    } catch {
      // If this fails, Node prints the uncorrected report.
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
  error.stack = top === null ? stack : `${formatPrintedLine(top, wasThrown)}\n\n${stack}`;
  const seen = new Set<unknown>([error]);
  for (let { cause } = error; types.isNativeError(cause) && !seen.has(cause); { cause } = cause) {
    seen.add(cause);
    cause.stack = correctStack(cause, sources)?.stack ?? cause.stack ?? '';
  }
}

interface Corrected {
  readonly stack: string;
  /** Position of the topmost frame, if the file can be read. */
  readonly top: Place | null;
}

interface Source {
  readonly named: string;
  readonly lines: readonly string[];
  /** The insertions into the source; null if the source is not instrumented. */
  readonly insertions: Insertions | null;
}

/** Returns the stack with columns in the author's source; null if no instrumented code is on the stack or the stack is not writable. */
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

/** Returns a frame's source. The lines are read only if the file is instrumented or the frame is the topmost one. */
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
  // The offset is outside of the line if the instrumented code was not made from the file on disk, for example because a loader compiled
  // it.
  return original < 0 || original > text.length ? null : { named, line, column: original + 1, text };
}

/** Formats the line as Node prints it, with a mark below the position. */
function formatPrintedLine({ named, line, column, text: whole }: Place, wasThrown: boolean): string {
  const text = whole.replace(/\r$/, '');
  const thrown =
    wasThrown && making.test(text.slice(column - 1)) ? throwBefore.exec(text.slice(0, column - 1)) : null;
  const marked = thrown?.index ?? column - 1;
  return `${named}:${line}\n${text}\n${text.slice(0, marked).replace(/\S/g, ' ')}^`;
}

/**
 * Prevents Node from printing a source line itself. When a script throws an error, `vm` writes a source line into the error's stack. Node
 * writes such a line only once per error, so it adds no line afterwards.
 */
function markAsPrinted(error: Error): void {
  try {
    vm.runInNewContext('throw error', { error }, { displayErrors: true });
  } catch {}
}
