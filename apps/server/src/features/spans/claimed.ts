import type { ProjectId } from '../../platform/ids.ts';

/** Counts requests made from spans towards the month's quota. */
export interface RequestClaims {
  /**
   * Reserves quota for requests. Returns an id of the reservation to store with their rows, and the requests that fit; undefined if the
   * month's quota is used up.
   */
  take(
    project: ProjectId,
    count: number,
  ): Promise<{ readonly id: string; readonly traces: number } | undefined>;
  stored(claim: string): void;
  /** Called when it is unknown whether the reserved requests are stored. */
  failed(claim: string): void;
}

/** Remembers reservations for requests that are not stored yet, by trace, so that a retry does not count the request twice. */
export class ClaimedTraces {
  readonly #claims: RequestClaims;
  readonly #claimOf = new Map<string, string>();
  /** Traces left per reservation. */
  readonly #left = new Map<string, { traces: number; areStored: boolean }>();

  constructor(claims: RequestClaims) {
    this.#claims = claims;
  }

  has(trace: string): boolean {
    return this.#claimOf.has(trace);
  }

  /** Returns the counted traces by reservation: traces that were counted earlier, and new traces up to the month's quota. */
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

  /** Called when a trace's request is stored, or when the outcome is unknown. The reservation ends with its last trace. */
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
