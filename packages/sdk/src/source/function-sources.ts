import { countOpenBraces } from '@throughline/contract/redaction';
import { loadLateModule } from '../internal/late-modules.ts';
import { monotonicMs } from '../internal/timers.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import type { FunctionSite } from '../record/types.ts';
import type { WireSource } from '../send/encode/wire.ts';
import { MapTexts, readAuthorsText } from './authors-text.ts';

/** Interval in milliseconds after which a function's source is sent again, since the server deletes sources that no stored trace uses. */
const AGAIN_MS = 60 * 60_000;
/** Maximum number of files whose source code this process reads. */
const MAX_FILES = 5000;
/** Maximum time in ms for reading files after the response of one request. The remaining files are read after the next request. */
const MAX_READING_MS = 50;
/** Maximum characters of source code per trace. */
const MAX_TEXT = 512 * 1024;
/** Maximum length of a function that is sent, in characters. */
const MAX_FUNCTION = 64 * 1024;
/** Maximum number of functions of one file that the server accepts in one trace. */
const MAX_FUNCTIONS = 2000;
/** Maximum length of a line, in characters. Code with longer lines is minified and is not sent. */
const MAX_LINE = 1000;
const MAX_FILES_OF_TRACE = 500;

interface KnownFile {
  /** The file without functions. All traces to which no function is added share this object. */
  readonly source: WireSource;
  /** Number of the last trace that contains the file, and the file's position in this trace. */
  lastTrace: number;
  position: number;
}

interface KnownFunction {
  /** Null if the content of the file is not available. */
  readonly file: KnownFile | null;
  /** Time in ms at which the function was sent last. */
  sentMs: number;
  /** Number of the last trace in which the function ran. */
  lastTrace: number;
}

interface FileText {
  readonly lines: readonly string[];
  readonly version: string;
}

/**
 * Source code of the functions that ran, as the author wrote it. Each function is sent once an hour, with the first trace in which it ran.
 * Each trace contains the versions of its files. Files are read only after their functions have run, so that the start is not slowed.
 */
export class FunctionSources {
  readonly #root: string;
  readonly #readClock: () => number;
  /** The known files, by path. Null if the content of a file is not available. */
  readonly #files = new Map<string, KnownFile | null>();
  readonly #functions = new Map<FunctionSite, KnownFunction>();
  /** Number of traces until now. */
  #traces = 0;
  /** Files that were read for the current trace. */
  #texts = new Map<string, FileText>();
  #maps = new MapTexts();

  /** `root` is the folder to which the functions' paths are relative. `readClock` returns milliseconds of a monotonic clock. */
  constructor(root: string, readClock: () => number = monotonicMs) {
    this.#root = root;
    this.#readClock = readClock;
  }

  /** Returns the files of a trace's functions; undefined if there are none. Never throws. */
  collect(flow: readonly RecordedStep[]): readonly WireSource[] | undefined {
    try {
      const sources = this.#collect(flow);
      return sources.length === 0 ? undefined : sources;
    } catch {
      return undefined;
    } finally {
      if (this.#texts.size > 0) this.#texts = new Map();
      if (this.#maps.isUsed) this.#maps = new MapTexts();
    }
  }

  #collect(flow: readonly RecordedStep[]): WireSource[] {
    const nowMs = this.#readClock();
    const trace = ++this.#traces;
    const sources: WireSource[] = [];
    let room = MAX_TEXT;
    for (const { site } of flow) {
      if (site === undefined) continue;
      const known = this.#functions.get(site) ?? this.#add(site, nowMs);
      if (known === undefined || known.lastTrace === trace) continue;
      known.lastTrace = trace;
      const { file } = known;
      if (file === null) continue;
      if (file.lastTrace !== trace) {
        if (sources.length >= MAX_FILES_OF_TRACE) continue;
        file.lastTrace = trace;
        file.position = sources.push(file.source) - 1;
      }
      if (nowMs - known.sentMs < AGAIN_MS || room <= 0) continue;
      const { functions = [] } = sources[file.position] ?? file.source;
      if (functions.length >= MAX_FUNCTIONS) continue;
      // A known file is read again for functions that were not yet sent. The time limit applies to this, too.
      if (!this.#texts.has(site.file) && this.#isLate(nowMs)) continue;
      known.sentMs = nowMs;
      const text = this.#cut(site, file.source);
      if (text === undefined) continue;
      room -= text.length;
      functions.push({ line: site.line, text });
      if (functions.length === 1) sources[file.position] = { ...file.source, functions };
    }
    return sources;
  }

  /** Finds the file of a function. Returns undefined if the file cannot be read within the time limit. */
  #add(site: FunctionSite, startedMs: number): KnownFunction | undefined {
    const file = this.#find(site, startedMs);
    if (file === undefined) return undefined;
    const known = { file, sentMs: -AGAIN_MS, lastTrace: 0 };
    this.#functions.set(site, known);
    return known;
  }

  /** Returns the file of a function; null if its content is not available; undefined if it cannot be read within the time limit. */
  #find(site: FunctionSite, startedMs: number): KnownFile | null | undefined {
    const { file } = site;
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    if (this.#files.size >= MAX_FILES || this.#isLate(startedMs)) return undefined;
    const text = this.#read(site);
    const made =
      text === undefined ? null : { source: { file, version: text.version }, lastTrace: 0, position: 0 };
    this.#files.set(file, made);
    return made;
  }

  /** True if no further file may be read for a trace. */
  #isLate(startedMs: number): boolean {
    return this.#readClock() - startedMs > MAX_READING_MS;
  }

  #read(site: FunctionSite): FileText | undefined {
    let text: string | undefined;
    try {
      text = readAuthorsText(this.#root, site.file, site.origin, this.#maps);
    } catch {
      // The file was deleted after it was loaded, or this process may not read it.
    }
    if (text === undefined) return undefined;
    const lines = text.split(/\r\n?|[\n\u2028\u2029]/);
    const read = { lines, version: hashText(text) };
    this.#texts.set(site.file, read);
    return read;
  }

  /**
   * Returns the lines of a function. Returns undefined if the function's last line is unknown, if the function is minified, empty or too
   * long, or if its file has changed.
   */
  #cut(site: FunctionSite, { version }: WireSource): string | undefined {
    const { file, line, lastLine = 0 } = site;
    if (lastLine < line) return undefined;
    const read = this.#texts.get(file) ?? this.#read(site);
    if (read?.version !== version || lastLine > read.lines.length) return undefined;
    const own = read.lines.slice(line - 1, findEnd(read.lines, line, lastLine));
    if (own.some(({ length }) => length > MAX_LINE)) return undefined;
    const text = own.join('\n');
    return text.trim() === '' || text.length > MAX_FUNCTION ? undefined : text;
  }
}

/** Maximum number of lines after the last mapped line that are searched for the end of a function. */
const MAX_UNMAPPED = 3;

/** Returns the last line of a function. It can be after `lastLine`, because the maps of some compilers do not contain the closing brace. */
function findEnd(lines: readonly string[], line: number, lastLine: number): number {
  for (let end = lastLine; end <= Math.min(lastLine + MAX_UNMAPPED, lines.length); end++) {
    if (countOpenBraces(lines.slice(line - 1, end).join('\n')) <= 0) return end;
  }
  return lastLine;
}

const VERSION_CHARACTERS = 12;

function hashText(text: string): string {
  const hash = loadLateModule('node:crypto').createHash('sha256');
  return hash.update(text).digest('base64url').slice(0, VERSION_CHARACTERS);
}
