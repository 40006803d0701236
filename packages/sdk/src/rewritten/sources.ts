import { Insertions } from './insertions.ts';

/** A source that runs rewritten in this process. */
interface RewrittenSource {
  readonly file: string;
  readonly firstSite: number;
  readonly bytes: Uint8Array;
  insertions: Insertions | null;
}

/** The code injected into rewritten sources. Each is read on first use. */
export class RewrittenSources {
  /** By their first sites, ascending. */
  readonly #sources: RewrittenSource[] = [];

  /** A source without functions is not listed. */
  add(file: string, firstSite: number, bytes: Uint8Array): void {
    const source = { file, firstSite, bytes, insertions: null };
    this.#sources.splice(this.#indexAfter(firstSite), 0, source);
  }

  /** The source of a site, and the site's number in it. */
  ofSite(id: number): { readonly insertions: Insertions; readonly site: number } | undefined {
    const source = this.#sources[this.#indexAfter(id) - 1];
    return source && { insertions: read(source), site: id - source.firstSite };
  }

  /** The one of a file that was loaded last. */
  ofFile(file: string): Insertions | undefined {
    const source = this.#sources.findLast((one) => one.file === file);
    return source && read(source);
  }

  #indexAfter(id: number): number {
    let low = 0;
    let high = this.#sources.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sources[middle]?.firstSite ?? 0) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function read(source: RewrittenSource): Insertions {
  source.insertions ??= new Insertions(source.bytes);
  return source.insertions;
}
