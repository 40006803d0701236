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
  /**
   * True if the error was split off by function: its requests failed in another function than the first function that threw the message.
   */
  readonly isSplitOff: boolean;
  /**
   * Set if the error was split off, and the message occurred before functions were recorded. A function whose first recorded error with the
   * message is earlier than this time (epoch ms) probably threw the message before functions were recorded, too. Such a function counts as
   * having thrown the message since `knownSinceMs`.
   */
  readonly knownUntilMs: number | null;
  /** The start of the first request with the message, in epoch ms. Set together with `knownUntilMs`. */
  readonly knownSinceMs: number | null;
}

/**
 * Builds the {@link ErrorUnit} of an error. `messageId` is the id that the error had before a split by function, or an empty string if it
 * is unknown.
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
    // If the error is neither split nor merged, uses the same filter as the Errors page.
    filter:
      requestIds.join() === id && !isSplitOff ? { errorGroup: message } : { errorIds: requestIds.join(',') },
    isSplitOff,
    knownUntilMs: split?.knownUntil?.getTime() ?? null,
    knownSinceMs: split?.knownSince?.getTime() ?? null,
  };
}

/**
 * The id that an earlier version of the server gave to a finding about an error. In that version, all errors with the same message shared
 * one finding. A stored decision or incident with this id is about the error only if it was stored at `fromMs` (epoch ms) or later, because
 * the error had not been seen before `fromMs`.
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
