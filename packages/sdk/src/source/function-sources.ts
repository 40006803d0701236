import { countOpenBraces } from '@throughline/contract/redaction';
import { lateModule } from '../internal/late-modules.ts';
import type { RecordedStep } from '../record/recorded-step.ts';
import type { FunctionSite } from '../record/types.ts';
import { monotonicMs } from '../runtime/timers.ts';
import type { WireSource } from '../send/encode/wire.ts';
import { MapTexts, readAuthorsText } from './authors-text.ts';

/** A function's text is sent again after this time, since a server deletes what no trace of its retention has used. Milliseconds. */
const AGAIN_MS = 60 * 60_000;
/** Files whose texts were read, at most. */
const MAX_FILES = 5000;
/** The most time that reading files may add to one request, after its response. The rest is read for the next. Milliseconds. */
const MAX_READING_MS = 50;
/** The text that travels with one trace. Characters. */
const MAX_TEXT = 512 * 1024;
/** Longer functions are not sent. Characters. */
const MAX_FUNCTION = 64 * 1024;
/** Code on longer lines was packed by a tool. Characters. */
const MAX_LINE = 1000;
/** Files of one trace. */
const MAX_FILES_OF_TRACE = 500;

interface KnownFile {
  readonly version: string;
  /** Its functions, with the time at which each was sent last. Milliseconds. */
  readonly sentMs: Map<FunctionSite, number>;
}

interface FileText {
  readonly lines: readonly string[];
  readonly version: string;
}

/**
 * The source text of the functions that ran, as their author wrote it: each once an hour, with the first trace that it ran in. Each trace names the
 * version of each of its files. Files are read when their functions have run, so starting costs nothing.
 */
export class FunctionSources {
  readonly #root: string;
  /** Null for a file whose text cannot be had. */
  readonly #files = new Map<string, KnownFile | null>();
  /** Files that were read for the trace at hand. */
  #texts = new Map<string, FileText>();
  #maps = new MapTexts();

  /** `root`: the folder that the paths of functions are relative to. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The files of a trace's functions; undefined where there are none. Never throws. */
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
      if (room <= 0 || (sentMs !== undefined && nowMs - sentMs < AGAIN_MS)) continue;
      const text = this.#cut(site, known);
      known.sentMs.set(site, nowMs);
      if (text === undefined) continue;
      room -= text.length;
      source.functions ??= [];
      source.functions.push({ line: site.line, text });
    }
    return sources.size === 0 ? undefined : [...sources.values()];
  }

  /** Null where the file's text cannot be had, or not in the time that is left. */
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
      // Gone since, or not to be read by this user.
    }
    if (text === undefined) return undefined;
    const lines = text.split(/\r\n?|[\n\u2028\u2029]/);
    const read = { lines, version: hashText(text) };
    this.#texts.set(site.file, read);
    return read;
  }

  /** The lines of a function; undefined for one that nobody would read, or that was changed since. */
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

/** Lines after the last one that a source map knows, at most, in which a function ends. */
const MAX_UNMAPPED = 3;

/** The last line of a function: some compilers' maps do not know its closing brace. */
function findEnd(lines: readonly string[], line: number, lastLine: number): number {
  for (let end = lastLine; end <= Math.min(lastLine + MAX_UNMAPPED, lines.length); end++) {
    if (countOpenBraces(lines.slice(line - 1, end).join('\n')) <= 0) return end;
  }
  return lastLine;
}

const VERSION_CHARACTERS = 12;

function hashText(text: string): string {
  const hash = lateModule('node:crypto').createHash('sha256');
  return hash.update(text).digest('base64url').slice(0, VERSION_CHARACTERS);
}
