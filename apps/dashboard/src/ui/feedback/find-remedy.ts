import { ApiError, formatCounted, isOperatorError, TEXTS } from '@throughline/contract';
import { SCREEN_REMEDIES } from './screen-remedies.ts';

/** Errors whose messages already describe what to do. */
const ADVISING: ReadonlySet<string> = new Set([
  TEXTS.registrationClosed,
  TEXTS.slugTaken,
  TEXTS.loginExpired,
  TEXTS.passwordLinkInvalid,
  TEXTS.emailLinkInvalid,
  TEXTS.cancelSubscriptionFirst,
  TEXTS.cancelSubscriptionToJoin,
  TEXTS.membersRemain,
  TEXTS.ownerStays,
  TEXTS.freePlanMembers,
  TEXTS.emailTakenMeanwhile,
  TEXTS.emailTaken,
]);

/** Returns what the user can do about an error. Returns undefined if there is no known remedy, or if the error message describes it. */
export function findRemedy(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || ADVISING.has(error.message)) return undefined;
  // The messages of plan limits and of invalid fields describe what to do.
  if (error.details?.gate !== undefined || error.details?.fields !== undefined) return undefined;
  return describeWait(error) ?? SCREEN_REMEDIES[error.code] ?? error.remedy;
}

/** Returns the id of an error in the server's log, for the operator; undefined if the user can solve the problem. */
export function findRequestId(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.status >= 500 || isOperatorError(error.code) ? error.requestId : undefined;
}

/** Describes the waiting time after a temporary rejection, if the response names it. */
function describeWait({ code, retryAfterSeconds }: ApiError): string | undefined {
  if (retryAfterSeconds === undefined || (code !== 'too_many_requests' && code !== 'overloaded'))
    return undefined;
  return retryAfterSeconds < 60
    ? `Try again in ${formatCounted(retryAfterSeconds, 'second')}.`
    : `Try again in ${formatCounted(Math.ceil(retryAfterSeconds / 60), 'minute')}.`;
}
