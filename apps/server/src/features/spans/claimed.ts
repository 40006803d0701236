import type { ProjectId } from '../../platform/ids.ts';

/** Counts requests that are made from spans towards the month's quota. */
export interface RequestClaims {
  /** Reserves quota for requests. Returns the claim id for their rows and how many fit; undefined if the month is full. */
  take(
    project: ProjectId,
    count: number,
  ): Promise<{ readonly id: string; readonly traces: number } | undefined>;
  stored(claim: string): void;
  /** Reports that it is unknown whether its requests are stored. */
  failed(claim: string): void;
}

/** Remembers claims of requests that are not stored yet, by trace, so that a retry does not count a second request. */
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

  /** Returns the counted traces by claim: those counted before, and new ones as far as the month has quota. */
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

  /** Ends a trace's part of its claim: its request is stored, or the outcome is unknown. The claim ends with its last trace. */
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
