import type { ProjectId } from '../../platform/ids.ts';

/** Counts requests that are made of spans against the month. */
export interface RequestClaims {
  /** What rows of so many requests are to carry, and how many of them fit; undefined where the month has no room. */
  take(
    project: ProjectId,
    count: number,
  ): Promise<{ readonly id: string; readonly traces: number } | undefined>;
  stored(claim: string): void;
  /** Whether its requests are stored is not known. */
  failed(claim: string): void;
}

/** Claims of requests that are not stored yet, by trace: where storing them failed, the next try is no second request. */
export class ClaimedTraces {
  readonly #claims: RequestClaims;
  readonly #claimOf = new Map<string, string>();
  /** By claim. */
  readonly #left = new Map<string, { traces: number; areStored: boolean }>();

  constructor(claims: RequestClaims) {
    this.#claims = claims;
  }

  has(trace: string): boolean {
    return this.#claimOf.has(trace);
  }

  /** Of these traces those that are counted, by claim: before, or now as far as the month has room. */
  async take(project: ProjectId, traces: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const fresh = traces.filter((trace) => !this.#claimOf.has(trace));
    const claim = fresh.length === 0 ? undefined : await this.#claims.take(project, fresh.length);
    if (claim !== undefined && claim.traces > 0) {
      const fitting = fresh.slice(0, claim.traces);
      this.#left.set(claim.id, { traces: fitting.length, areStored: true });
      for (const trace of fitting) this.#claimOf.set(trace, claim.id);
    }
    const byClaim = new Map<string, string[]>();
    for (const trace of traces) {
      const id = this.#claimOf.get(trace);
      if (id === undefined) continue;
      const others = byClaim.get(id);
      if (others === undefined) byClaim.set(id, [trace]);
      else others.push(trace);
    }
    return byClaim;
  }

  /** A trace's request is stored, or it is not known whether it is. The last one of a claim ends it. */
  end(trace: string, isStored: boolean): void {
    const id = this.#claimOf.get(trace);
    const left = id === undefined ? undefined : this.#left.get(id);
    if (id === undefined || left === undefined) return;
    this.#claimOf.delete(trace);
    left.traces -= 1;
    left.areStored &&= isStored;
    if (left.traces > 0) return;
    this.#left.delete(id);
    if (left.areStored) this.#claims.stored(id);
    else this.#claims.failed(id);
  }

  endAll(): void {
    for (const trace of [...this.#claimOf.keys()]) this.end(trace, false);
  }
}
