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
/** Maximum number of functions per file and trace that the server accepts. */
const MAX_FUNCTIONS = 2000;
/** Maximum length of a line, in characters. Code with longer lines is minified and is not sent. */
const MAX_LINE = 1000;
/** Maximum number of files per trace. */
const MAX_FILES_OF_TRACE = 500;

interface KnownFile {
  readonly version: string;
  /** The functions of the file, with the time in ms at which each was sent last. */
  readonly sentMs: Map<FunctionSite, number>;
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
  /** The known files, by path. Null if the content of a file is not available. */
  readonly #files = new Map<string, KnownFile | null>();
  /** Files that were read for the current trace. */
  #texts = new Map<string, FileText>();
  #maps = new MapTexts();

  /** `root` is the folder to which the functions' paths are relative. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the files of a trace's functions; undefined if there are none. Never throws. */
  collect(flow: readonly RecordedStep[]): readonly WireSource[] | undefined {
    const sites = new Set<FunctionSite>();
    let before: FunctionSite | undefined;
    for (const { site } of flow) {
      if (site === undefined || site === before) continue;
      before = site;
      sites.add(site);
    }
    try {
      return this.#collect(sites);
    } catch {
      return undefined;
    } finally {
      if (this.#texts.size > 0) this.#texts = new Map();
      if (this.#maps.isUsed) this.#maps = new MapTexts();
    }
  }

  #collect(sites: ReadonlySet<FunctionSite>): readonly WireSource[] | undefined {
    const nowMs = monotonicMs();
    const sources = new Map<string, WireSource>();
    let room = MAX_TEXT;
    for (const site of sites) {
      const known = this.#find(site, nowMs);
      if (known === null) continue;
      let source = sources.get(site.file);
      if (source === undefined) {
        if (sources.size >= MAX_FILES_OF_TRACE) continue;
        source = { file: site.file, version: known.version };
        sources.set(site.file, source);
      }
      const sentMs = known.sentMs.get(site);
      const hasRoom = room > 0 && (source.functions?.length ?? 0) < MAX_FUNCTIONS;
      if (!hasRoom || (sentMs !== undefined && nowMs - sentMs < AGAIN_MS)) continue;
      const text = this.#cut(site, known);
      known.sentMs.set(site, nowMs);
      if (text === undefined) continue;
      room -= text.length;
      source.functions ??= [];
      source.functions.push({ line: site.line, text });
    }
    return sources.size === 0 ? undefined : [...sources.values()];
  }

  /** Returns the file of a function. Returns null if the file's content is not available, or cannot be read within the time limit. */
  #find(site: FunctionSite, startedMs: number): KnownFile | null {
    const { file } = site;
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    if (monotonicMs() - startedMs > MAX_READING_MS || this.#files.size >= MAX_FILES) return null;
    const text = this.#read(site);
    const made = text === undefined ? null : { version: text.version, sentMs: new Map() };
    this.#files.set(file, made);
    return made;
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
  #cut(site: FunctionSite, { version }: KnownFile): string | undefined {
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
