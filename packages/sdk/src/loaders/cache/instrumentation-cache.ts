import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { runGuarded } from '../../internal/report.ts';
import { setTimeout } from '../../internal/timers.ts';
import { walkAncestors } from '../../project/root.ts';
import type { InstrumentedSite } from '../../record/types.ts';
import { type CachedSite, readSites, toCachedSite } from './cached-sites.ts';

/** The instrumented code of a source, with the ids that the code contains. */
export interface CachedCode {
  readonly code: string;
  readonly firstSite: number;
  readonly sites: readonly InstrumentedSite[];
  readonly insertions: Uint8Array;
}

type Encoding = 'latin1' | 'utf16le';

/**
 * The index entry of a source and its instrumented code: the key; the encoding; the lengths in bytes of the source, the code, the sites
 * (as JSON) and the insertions; the first id.
 */
type Entry = readonly [string, Encoding, number, number, number, number, number];

/** The content of the file's first line, as JSON. The data of the entries follows that line, in the order of the entries in the index. */
interface Index {
  readonly made: string;
  /** Each id in the file's code is below this number. */
  readonly ids: number;
  readonly entries: readonly Entry[];
}

interface Place {
  readonly entry: Entry;
  readonly at: number;
}

/** File size in bytes above which entries that this process did not use are dropped. */
const maxBytes = 64 * 1024 * 1024;
/**
 * Maximum number of ids. Ids are never reused, so some of them belong to code that no longer exists. Above this number, the cache starts
 * empty.
 */
const maxIds = 500_000;
/** Maximum length of a project's path in a file name, which can have 255 bytes. */
const MAX_PROJECT_NAME = 100;

/**
 * Returns the path of a project's instrumentation cache, a file in `node_modules/.cache`, like the caches of build tools. Uses the nearest
 * `node_modules` at or above the project's root, as Node does for packages. Projects below one `node_modules` have a file each. Returns
 * undefined if there is no `node_modules`.
 */
export function findCachePath(root: string): string | undefined {
  for (const folder of walkAncestors(root)) {
    const modules = join(folder, 'node_modules');
    if (!existsSync(modules)) continue;
    const project = relative(folder, root)
      .replace(/[^\w.-]+/g, '-')
      .slice(-MAX_PROJECT_NAME);
    return join(modules, '.cache', 'throughline', `instrumented${project === '' ? '' : `-${project}`}`);
  }
  return undefined;
}

/**
 * Caches instrumented code in one file, so that the next start need not instrument it again: parsing and analysing are
 * four fifths of the time that the SDK adds to a first start. The file's content is not trusted: each entry contains its
 * source, and is used only for exactly that source. A truncated file, or one of another version, is ignored. The file is
 * replaced as a whole, so processes can share it; if it cannot be written, nothing is cached.
 */
export class InstrumentationCache {
  private readonly path: string;
  private readonly made: string;
  private readonly quietMs: number;
  private onStarted: (() => void) | undefined;
  private readonly places = new Map<string, Place>();
  private readonly fresh = new Map<string, CachedCode & { readonly source: string }>();
  private readonly used = new Set<string>();
  private bytes: Buffer = Buffer.alloc(0);
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;
  private idsTaken = 0;

  /**
   * `made` names what the code depends on besides its source: the SDK's version and options. A start is over when no code was instrumented
   * or taken from the cache for `quietMs`. Code that is loaded later is not cached.
   */
  constructor(path: string, made: string, quietMs: number) {
    this.path = path;
    this.made = made;
    this.quietMs = quietMs;
    try {
      if (!this.read()) this.forget();
    } catch {
      this.forget();
    }
  }

  /** Each id that the code in the file uses is below this number. */
  get ids(): number {
    return this.idsTaken;
  }

  get isEmpty(): boolean {
    return this.places.size === 0;
  }

  callWhenStarted(run: () => void): void {
    this.onStarted = run;
  }

  /** Drops everything that was read from the file. */
  forget(): void {
    this.places.clear();
    this.bytes = Buffer.alloc(0);
    this.idsTaken = 0;
  }

  private read(): boolean {
    this.bytes = readFileSync(this.path);
    const end = this.bytes.indexOf('\n');
    const index: unknown = JSON.parse(this.bytes.toString('utf8', 0, end));
    if (!isIndex(index) || index.made !== this.made || index.ids > maxIds) return false;
    let at = end + 1;
    for (const entry of index.entries) {
      this.places.set(entry[0], { entry, at });
      at += computeLength(entry);
    }
    this.idsTaken = index.ids;
    return at === this.bytes.length;
  }

  /** Finds the instrumented code of exactly this source. `key` names the file and its format. Returns undefined if nothing is cached. */
  find(key: string, source: string): CachedCode | undefined {
    const place = this.places.get(key);
    if (place === undefined) return undefined;
    const { at } = place;
    const [, encoding, sourceBytes, codeBytes, siteBytes, insertionBytes, firstSite] = place.entry;
    const codeAt = at + sourceBytes;
    const sitesAt = codeAt + codeBytes;
    if (this.bytes.toString(encoding, at, codeAt) !== source) return undefined;
    const insertionsAt = sitesAt + siteBytes;
    const sites = readSites(this.bytes.toString('utf8', sitesAt, insertionsAt));
    if (sites === undefined || firstSite + sites.length > this.idsTaken) return undefined;
    this.used.add(key);
    this.wait();
    // Copies the insertions, because the bytes of the whole file are released when the start is over.
    const insertions = Uint8Array.from(this.bytes.subarray(insertionsAt, insertionsAt + insertionBytes));
    return { code: this.bytes.toString(encoding, codeAt, sitesAt), firstSite, sites, insertions };
  }

  /** Adds the instrumented code of a source. The file is written when the start is over. */
  keep(key: string, source: string, { code, firstSite, sites, insertions }: CachedCode): void {
    if (this.isOver) return;
    this.fresh.set(key, { source, code, firstSite, sites, insertions });
    this.wait();
  }

  private wait(): void {
    this.timer ??= setTimeout(() => runGuarded('Caching code', () => this.end()), this.quietMs).unref();
    this.timer.refresh();
  }

  private end(): void {
    this.isOver = true;
    if (this.fresh.size > 0) void replaceFile(this.path, this.content());
    this.fresh.clear();
    this.forget();
    this.onStarted?.();
  }

  private content(): Buffer {
    const entries: Entry[] = [];
    const parts: Buffer[] = [];
    let bytes = 0;
    let ids = this.idsTaken;
    for (const [key, { source, code, firstSite, sites, insertions }] of this.fresh) {
      const encoding = isLatin1(code) ? 'latin1' : 'utf16le';
      const written: readonly CachedSite[] = sites.map(toCachedSite);
      const four = [
        Buffer.from(source, encoding),
        Buffer.from(code, encoding),
        Buffer.from(JSON.stringify(written)),
        Buffer.from(insertions),
      ] as const;
      const [a, b, c, d] = four;
      const entry: Entry = [key, encoding, a.length, b.length, c.length, d.length, firstSite];
      entries.push(entry);
      parts.push(...four);
      bytes += computeLength(entry);
      ids = Math.max(ids, firstSite + sites.length);
    }
    for (const [key, { entry, at }] of this.places) {
      const length = computeLength(entry);
      if (this.fresh.has(key) || (!this.used.has(key) && bytes + length > maxBytes)) continue;
      entries.push(entry);
      parts.push(this.bytes.subarray(at, at + length));
      bytes += length;
    }
    const index: Index = { made: this.made, ids, entries };
    return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...parts]);
  }
}

function computeLength([, , source, code, sites, insertions]: Entry): number {
  return source + code + sites + insertions;
}

/**
 * Replaces the whole file at once, so that no reader sees half a file. Ignores a failed write, because the next start then instruments the
 * code again.
 */
async function replaceFile(path: string, content: Buffer): Promise<void> {
  const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, content);
    await rename(draft, path);
  } catch {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** True if each character fits into one byte. */
function isLatin1(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters fit into one byte, too
  return !/[^\x00-\xff]/.test(text);
}

function isIndex(value: unknown): value is Index {
  return (
    typeof value === 'object' &&
    value !== null &&
    'made' in value &&
    'ids' in value &&
    isCount(value.ids) &&
    'entries' in value &&
    Array.isArray(value.entries) &&
    value.entries.every(isEntry)
  );
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value)) return false;
  const [key, encoding, ...counts]: unknown[] = value;
  return (
    typeof key === 'string' &&
    (encoding === 'latin1' || encoding === 'utf16le') &&
    counts.length === 5 &&
    counts.every(isCount)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
