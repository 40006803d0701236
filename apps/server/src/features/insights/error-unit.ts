import type { TraceLink } from '@throughline/contract';
import type { ErrorGrouping } from '../errors/index.ts';

/**
 * An error as the Errors page lists it: the requests of a service that failed with the same message in the same function, or errors that
 * users merged.
 */
export interface ErrorUnit {
  readonly id: string;
  /** Filters of the trace list that find exactly the error's requests, except for the service and the time. */
  readonly filter: TraceLink;
  /** True if the error was split off by function: its requests failed in a function that is not the first to throw the message. */
  readonly isSplitOff: boolean;
  /**
   * Set if the error was split off, and the message was thrown before functions were recorded. A function that first threw the message
   * before this time (epoch ms) probably threw it then, too, and counts as having thrown it since `knownSinceMs`.
   */
  readonly knownUntilMs: number | null;
  /** The start of the first request with the message, in epoch ms. Set together with `knownUntilMs`. */
  readonly knownSinceMs: number | null;
}

/**
 * Builds the unit of an error. `messageId` is the id that the error had before a split by function, or an empty string if it is unknown.
 */
export function buildErrorUnit(
  { splits, listMerged, listRequestIds }: ErrorGrouping,
  { id, messageId, message }: { readonly id: string; readonly messageId: string; readonly message: string },
): ErrorUnit {
  const requestIds = listRequestIds([id, ...listMerged(id)]);
  const isSplitOff = messageId !== '' && messageId !== id;
  const split = isSplitOff ? splits.get(messageId) : undefined;
  return {
    id,
    // If the error is neither split nor merged, uses the filter that the Errors page uses for it, too.
    filter:
      requestIds.join() === id && !isSplitOff ? { errorGroup: message } : { errorIds: requestIds.join(',') },
    isSplitOff,
    knownUntilMs: split?.knownUntil?.getTime() ?? null,
    knownSinceMs: split?.knownSince?.getTime() ?? null,
  };
}

/**
 * The id that an earlier version gave to a finding about an error. In that version, all errors with the same message shared one finding. A
 * stored decision or incident with this id is about the error only if it was stored at `fromMs` (epoch ms) or later, because the error had
 * not been seen before.
 */
export interface EarlierFinding {
  readonly id: string;
  readonly fromMs: number;
}

/**
 * Adds `fromMs` to the earlier id of a finding about an error. `fromMs` is 0 if the error was not split off, or was probably thrown before
 * functions were recorded. Otherwise, `fromMs` is `firstMs`, the time when the error was first seen.
 */
export function buildEarlierFinding(id: string, unit: ErrorUnit, firstMs: number): EarlierFinding {
  const isOlder = !unit.isSplitOff || firstMs < (unit.knownUntilMs ?? 0);
  return { id, fromMs: isOlder ? 0 : firstMs };
}
