import type { TraceLink } from '@throughline/contract';
import type { ErrorGrouping } from '../errors/index.ts';

/** An error as the Errors page lists it: a message of a service in one function, or errors that users merged. */
export interface ErrorUnit {
  readonly id: string;
  /** Filters of the trace list that find exactly the error's requests, except for the service and the time. */
  readonly filter: TraceLink;
  /** True if the error has the requests of one of several functions, but not of the first. */
  readonly isSplitOff: boolean;
  /** Until when, in epoch ms, functions that threw the message count as known from before functions were recorded; null: no such time. */
  readonly knownUntilMs: number | null;
  /** Since when such a function counts as known, in epoch ms. */
  readonly knownSinceMs: number | null;
}

/** Builds the unit of an error. `messageId` is the id of the error with the same message, or an empty string if it is unknown. */
export function buildErrorUnit(
  { splits, listMerged, listRequestIds }: ErrorGrouping,
  { id, messageId, message }: { readonly id: string; readonly messageId: string; readonly message: string },
): ErrorUnit {
  const requestIds = listRequestIds([id, ...listMerged(id)]);
  const isSplitOff = messageId !== '' && messageId !== id;
  const split = isSplitOff ? splits.get(messageId) : undefined;
  return {
    id,
    // The Errors page links to an error that is neither split nor merged in the same way.
    filter:
      requestIds.join() === id && !isSplitOff ? { errorGroup: message } : { errorIds: requestIds.join(',') },
    isSplitOff,
    knownUntilMs: split?.knownUntil?.getTime() ?? null,
    knownSinceMs: split?.knownSince?.getTime() ?? null,
  };
}

/**
 * The id that an earlier version gave to a finding about an error: all errors with the same message had one finding. A decision or incident
 * with this id is about the error if it was stored when the error had been seen, that is, not before `fromMs` (epoch ms).
 */
export interface EarlierFinding {
  readonly id: string;
  readonly fromMs: number;
}

/** Builds the earlier id of a finding about an error that was first seen at `firstMs`. */
export function buildEarlierFinding(id: string, unit: ErrorUnit, firstMs: number): EarlierFinding {
  const isOlder = !unit.isSplitOff || firstMs < (unit.knownUntilMs ?? 0);
  return { id, fromMs: isOlder ? 0 : firstMs };
}
