import { Insertions } from '../positions/insertions.ts';

/** A source that this process runs in rewritten form. */
interface RewrittenSource {
  readonly file: string;
  readonly firstSite: number;
  readonly bytes: Uint8Array;
  insertions: Insertions | null;
}

/** Insertions of all rewritten sources. Each source's insertions are decoded at first use. */
export class RewrittenSources {
  /** The sources, sorted by their first site. */
  readonly #sources: RewrittenSource[] = [];

  /** Adds a source. Only sources with functions are added. */
  add(file: string, firstSite: number, bytes: Uint8Array): void {
    const source = { file, firstSite, bytes, insertions: null };
    this.#sources.splice(this.#indexAfter(firstSite), 0, source);
  }

  /** Returns the source of a site, and the site's number in that source. */
  ofSite(id: number): { readonly insertions: Insertions; readonly site: number } | undefined {
    const source = this.#sources[this.#indexAfter(id) - 1];
    return source && { insertions: read(source), site: id - source.firstSite };
  }

  /** Returns the insertions of the most recently loaded version of a file. */
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
