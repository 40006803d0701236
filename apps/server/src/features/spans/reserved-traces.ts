import type { ProjectId } from '../../platform/ids.ts';

/** Counts requests made from spans towards the month's quota. */
export interface RequestReservations {
  /**
   * Reserves quota for `count` requests. Returns the reservation's id, which is stored with the rows of the requests, and the number of
   * requests that fit; undefined if the month's quota is used up.
   */
  reserve(
    project: ProjectId,
    count: number,
  ): Promise<{ readonly id: string; readonly traces: number } | undefined>;
  commit(reservation: string): void;
  /** Ends a reservation if it is unknown whether its requests are stored. */
  release(reservation: string): void;
}

/**
 * Remembers, for each trace, the reservation of its request until the request is stored. A retry uses the same reservation, so that the
 * request is counted only once.
 */
export class ReservedTraces {
  readonly #reservations: RequestReservations;
  readonly #reservationByTrace = new Map<string, string>();
  /** For each reservation, the number of its traces for which {@link end} was not called yet. */
  readonly #left = new Map<string, { traces: number; areStored: boolean }>();

  constructor(reservations: RequestReservations) {
    this.#reservations = reservations;
  }

  has(trace: string): boolean {
    return this.#reservationByTrace.has(trace);
  }

  /** Returns the counted traces by reservation: traces that were counted earlier, and new traces up to the month's quota. */
  async reserve(
    project: ProjectId,
    traces: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const fresh = traces.filter((trace) => !this.#reservationByTrace.has(trace));
    const reservation =
      fresh.length === 0 ? undefined : await this.#reservations.reserve(project, fresh.length);
    if (reservation !== undefined && reservation.traces > 0) {
      const fitting = fresh.slice(0, reservation.traces);
      this.#left.set(reservation.id, { traces: fitting.length, areStored: true });
      for (const trace of fitting) this.#reservationByTrace.set(trace, reservation.id);
    }
    const byReservation = new Map<string, string[]>();
    for (const trace of traces) {
      const id = this.#reservationByTrace.get(trace);
      if (id === undefined) continue;
      const others = byReservation.get(id);
      if (others === undefined) byReservation.set(id, [trace]);
      else others.push(trace);
    }
    return byReservation;
  }

  /**
   * Removes a trace from its reservation: the trace's request is stored or, if `isStored` is false, it is unknown whether the request is
   * stored. The reservation ends with its last trace.
   */
  end(trace: string, isStored: boolean): void {
    const id = this.#reservationByTrace.get(trace);
    const left = id === undefined ? undefined : this.#left.get(id);
    if (id === undefined || left === undefined) return;
    this.#reservationByTrace.delete(trace);
    left.traces -= 1;
    left.areStored &&= isStored;
    if (left.traces > 0) return;
    this.#left.delete(id);
    if (left.areStored) this.#reservations.commit(id);
    else this.#reservations.release(id);
  }

  endAll(): void {
    for (const trace of [...this.#reservationByTrace.keys()]) this.end(trace, false);
  }
}
