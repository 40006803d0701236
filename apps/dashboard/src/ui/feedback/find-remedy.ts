import { ApiError, formatCounted, isOperatorError, TEXTS } from '@throughline/contract';

/** Messages that say what to do themselves. */
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

/** Finds what to do about a failure, as the server says; undefined where its message says it already. */
export function findRemedy(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || ADVISING.has(error.message)) return undefined;
  // The messages of plan limits and of wrong fields say what to do.
  if (error.details?.gate !== undefined || error.details?.fields !== undefined) return undefined;
  return describeWait(error) ?? error.remedy;
}

/** Finds the id under which the operator finds a failure in the server's log; undefined where the person can mend it. */
export function findRequestId(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.status >= 500 || isOperatorError(error.code) ? error.requestId : undefined;
}

/** The remedy of a refusal that passes by itself speaks of a header: people are told the time. */
function describeWait({ code, retryAfterSeconds }: ApiError): string | undefined {
  if (retryAfterSeconds === undefined || (code !== 'too_many_requests' && code !== 'overloaded'))
    return undefined;
  return retryAfterSeconds < 60
    ? `Try again in ${formatCounted(retryAfterSeconds, 'second')}.`
    : `Try again in ${formatCounted(Math.ceil(retryAfterSeconds / 60), 'minute')}.`;
}
