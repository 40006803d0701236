import { formatCount, formatCounted } from '@throughline/contract';
import type { Statement } from '../statements/read-request.ts';
import type { StoredTrace } from '../store.ts';
import { ERROR_DAYS, type ErrorHistory } from './stands-out-store.ts';

/**
 * The weight of this rule is below the weight of `differing_value`, which explains the failure, and above the weights of all rules about
 * time.
 */
const WEIGHT = 1.5;

/** Describes how often the error of a failed request occurred in the days before, and since when. */
export function describeKnownError(
  trace: StoredTrace,
  history: ErrorHistory,
  stepId: string | null,
): Statement {
  const { requests, users, firstRelease, releases } = history;
  const since =
    firstRelease === '' || releases < 2
      ? ''
      : firstRelease === trace.release
        ? `, all since release ${firstRelease}`
        : `, first in release ${firstRelease}`;
  const who = users === 0 ? '' : `, for ${formatCounted(users, 'user')}`;
  const text =
    requests <= 1
      ? `This error is new: no other request failed with it in the previous ${ERROR_DAYS} days`
      : `This error occurred ${formatCount(requests)} times in ${ERROR_DAYS} days${who}${since}`;
  return { text, stepId, weight: WEIGHT };
}
