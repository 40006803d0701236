import { EMAIL_LINK_HOURS } from '../format/texts.ts';
import type { ApiLimitName } from '../limits/api-limits.ts';
import type { RequestLimitName } from '../limits/request-limits.ts';
import type { PlanLimit } from '../plans/plan-limits.ts';
import type { PlanId } from '../plans/plans.ts';
import { RECENT_AUTHENTICATION_MINUTES } from './recent-authentication.ts';

/** An error code of the server: its HTTP status, its meaning, and what to do about it. */
export interface ErrorEntry {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

export const ERRORS = {
  validation_failed: {
    status: 400,
    meaning: 'A field of the request is missing or invalid.',
    remedy: 'Correct the fields named in `details.fields` and send the request again.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The body is not JSON, or not an object.',
    remedy: 'Send valid JSON in UTF-8; the message names the position of the error.',
  },
  malformed_request: {
    status: 400,
    meaning: 'The request is not valid HTTP.',
    remedy: 'Use an ordinary HTTP client. A proxy in between may have changed the request.',
  },
  invalid_encoding: {
    status: 400,
    meaning: 'The body does not match its content-encoding.',
    remedy: 'Send a complete gzip, br or zstd body, or no content-encoding.',
  },
  invalid_credentials: {
    status: 401,
    meaning: 'The email address or the password is wrong.',
    remedy: 'Check the email address and the password, then try again.',
  },
  invalid_code: {
    status: 401,
    meaning: 'The two-factor code is wrong or was used before.',
    remedy: 'Enter the code that the authenticator app shows now, or a backup code.',
  },
  login_expired: {
    status: 401,
    meaning: 'The two-factor code came too late, or after too many wrong codes.',
    remedy: 'Log in again with the password.',
  },
  wrong_password: {
    status: 400,
    meaning: 'The current password is wrong.',
    remedy: 'Enter your current password.',
  },
  wrong_code: {
    status: 400,
    meaning: 'The authenticator code or backup code is wrong or was used before.',
    remedy: 'Enter the code that the authenticator app shows now, or a backup code that is still unused.',
  },
  reset_invalid: {
    status: 400,
    meaning: 'The password link is unknown, was used, or is older than one hour.',
    remedy: 'Request a new link.',
  },
  email_link_invalid: {
    status: 400,
    meaning: `The link that confirms an email address is unknown, was used or cancelled, or is older than ${EMAIL_LINK_HOURS} hours.`,
    remedy: 'Request a new link in Settings › Profile.',
  },
  invalid_signature: {
    status: 400,
    meaning: "The payment provider's message has no valid signature, or is too old.",
    remedy: "Check the signing secret of the provider's webhook, and the clock of this machine.",
  },
  plan_not_available: {
    status: 400,
    meaning: 'This kind of account cannot have the plan.',
    remedy: 'Choose a plan from `GET …/plans`.',
  },
  unauthenticated: {
    status: 401,
    meaning: 'There is no session, or it has ended.',
    remedy: 'Log in and send the session’s token as `Authorization: Bearer …`.',
  },
  invalid_access_token: {
    status: 401,
    meaning: 'The access token is unknown, expired or revoked.',
    remedy: 'Create an access token in Settings › Security.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The API key is missing, unknown or was regenerated.',
    remedy: "Copy the project's current key and send it as `x-api-key`.",
  },
  trial_expired: {
    status: 402,
    meaning:
      'The free trial or the paid plan has ended. New traces are not accepted; stored traces stay readable.',
    remedy: 'Choose a plan.',
  },
  payment_failed: {
    status: 402,
    meaning: 'The payment failed. The subscription did not change.',
    remedy: 'Check the card with the payment provider, then try again.',
  },
  forbidden: {
    status: 403,
    meaning: 'Your role does not allow this.',
    remedy: 'Ask the owner of the organization.',
  },
  session_required: {
    status: 403,
    meaning:
      'Access tokens are not accepted here. They can only read projects, traces, errors and analytics.',
    remedy: 'Log in, and send the session’s token as `Authorization: Bearer …`.',
  },
  reauthentication_required: {
    status: 403,
    meaning: `The request needs a login or a confirmed identity within the last ${RECENT_AUTHENTICATION_MINUTES} minutes. The session continues.`,
    remedy:
      'Send your password, or with two-factor authentication a code (`details.confirmWith` says which), to `POST /api/auth/confirm`. Then repeat the request.',
  },
  unknown_host: {
    status: 421,
    meaning:
      'A development server responds only to localhost, loopback addresses and the host of PUBLIC_URL.',
    remedy: "Open http://localhost with the server's port, or set PUBLIC_URL to your address.",
  },
  registration_closed: {
    status: 403,
    meaning: 'Registration on this server is by invitation only.',
    remedy: 'Ask the owner of an organization to invite you, or the operator for an account.',
  },
  plan_by_operator: {
    status: 403,
    meaning: 'Only the operator of this server can change plans.',
    remedy: 'Ask the operator to run `throughline plan set`.',
  },
  plan_limit: {
    status: 403,
    meaning: 'The limit of the plan is reached.',
    remedy: 'Choose a larger plan, or remove something. `details` has the limit and the usage.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist, or you have no access to it.',
    remedy: 'Check the id, and whether you are logged in to the right account.',
  },
  invitation_invalid: {
    status: 404,
    meaning: 'The invitation is unknown, was used or revoked, or is older than 7 days.',
    remedy: 'Ask the owner of the organization to send the invitation again.',
  },
  registration_required: {
    status: 409,
    meaning: 'The invited address has no account yet.',
    remedy: 'Register with the invitation, at `/register?token=…`.',
  },
  wrong_account: {
    status: 403,
    meaning: 'The invitation is for another email address, not for that of the logged-in user.',
    remedy: 'Log in as the invited person.',
  },
  key_unreadable: {
    status: 409,
    meaning: 'The stored API key is damaged and cannot be shown. Services that have it can still send.',
    remedy: 'Regenerate the key, and give the new one to the services.',
  },
  already_member: {
    status: 409,
    meaning: 'The person already belongs to an organization. A person can belong to one at a time.',
    remedy: 'The person must leave the other organization first.',
  },
  already_invited: {
    status: 409,
    meaning: 'An invitation to this address is pending.',
    remedy: 'Send the pending invitation again, or revoke it first.',
  },
  slug_taken: {
    status: 409,
    meaning: 'Another organization has this slug.',
    remedy: 'Choose another slug.',
  },
  owner_stays: {
    status: 409,
    meaning: 'The owner cannot be removed, leave or change role.',
    remedy: 'Transfer the ownership first.',
  },
  members_remain: {
    status: 409,
    meaning: 'The organization has other members, so its owner cannot delete the account.',
    remedy: 'Remove the members or transfer the ownership first.',
  },
  cancel_subscription_first: {
    status: 409,
    meaning: 'The account has a paid subscription that is not set to end.',
    remedy: 'Cancel the subscription first.',
  },
  subscription_state: {
    status: 409,
    meaning: "The subscription's state does not allow this.",
    remedy: 'Load the subscription again to see its state.',
  },
  two_factor_enabled: {
    status: 409,
    meaning: 'Two-factor authentication is already on.',
    remedy: 'Disable two-factor authentication before you set it up again.',
  },
  two_factor_disabled: {
    status: 409,
    meaning: 'Two-factor authentication is not set up.',
    remedy: 'Set up two-factor authentication first.',
  },
  nothing_to_confirm: {
    status: 409,
    meaning: 'The account has no email address to confirm.',
    remedy: 'Load the account again: the address was confirmed, or the change was cancelled or has expired.',
  },
  email_taken: {
    status: 409,
    meaning: 'An account with this email address exists.',
    remedy: 'Log in, or use another address.',
  },
  too_many_share_links: {
    status: 409,
    meaning: 'The trace or its project has the maximum number of links.',
    remedy: "In the trace's Share dialog or the project's settings, revoke links that are no longer needed.",
  },
  too_many_alerts: {
    status: 409,
    meaning: 'The project has the maximum number of alert rules.',
    remedy: "In the project's settings, delete an alert rule that is no longer needed.",
  },
  too_many_views: {
    status: 409,
    meaning:
      'You have the maximum number of saved or pinned views, or the project has the maximum number of shared views.',
    remedy: 'Delete or unpin views that are no longer needed.',
  },
  too_many_access_tokens: {
    status: 409,
    meaning: 'You have the maximum number of access tokens.',
    remedy: 'In Settings › Security, revoke a token that is no longer needed.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request took longer than two minutes to arrive. Nothing was stored.',
    remedy: 'Send the request again. On a slow connection, send less at a time.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The URL and the headers together are larger than 16 kB.',
    remedy: 'Use fewer ids or filters, or send fewer cookies and headers.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is too large.',
    remedy: 'Send less at a time; the message names the limit, and the reference lists them all.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The content type or content encoding is not supported.',
    remedy: 'Send application/json, plain or compressed with gzip, br or zstd.',
  },
  quota_exceeded: {
    status: 429,
    meaning: 'The monthly trace quota is used up.',
    remedy: 'Upgrade the plan, or wait for the time in the Retry-After header.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'Too many requests, attempts or emails in a short time.',
    remedy: 'Wait for the time in the Retry-After header, then try again.',
  },
  too_many_feeds: {
    status: 429,
    meaning: 'The session or the account has too many live feeds open.',
    remedy: 'Close a page or program that follows new traces. Retry-After says when to try again.',
  },
  overloaded: {
    status: 503,
    meaning: 'The server is overloaded. Nothing of the request was stored.',
    remedy: 'Send the same request again after the time in the Retry-After header.',
  },
  unavailable: {
    status: 503,
    meaning: 'A store is not ready, or the server is starting or stopping.',
    remedy: 'Try again in a few seconds.',
  },
  payment_unavailable: {
    status: 503,
    meaning: 'The payment provider could not be reached, or did not respond as expected.',
    remedy: 'Try again in a minute: the same change is never charged twice.',
  },
  internal: {
    status: 500,
    meaning: 'Something failed on the server.',
    remedy: 'Try again. If it fails again, report the request id to the operator.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Errors that users of the dashboard cannot fix. */
export const OPERATOR_ERRORS = [
  'invalid_json',
  'invalid_encoding',
  'unsupported_media_type',
  'payload_too_large',
  'payment_failed',
  'key_unreadable',
] as const satisfies readonly ErrorCode[];

export function isOperatorError(code: string): boolean {
  return OPERATOR_ERRORS.some((one) => one === code);
}

/** Errors that every route can return, in addition to the route's own errors. */
export const COMMON_ERRORS = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'too_many_requests',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/** Additional errors of routes that accept a body. */
export const BODY_ERRORS = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[];

/** Reasons for which single traces of a batch are rejected while the others are accepted. */
export const REJECTIONS = {
  invalid_trace: 'A field of the trace is missing or invalid. The message names the field.',
  too_old: "The trace started before the plan's retention begins.",
  quota_exceeded: 'The monthly trace quota is used up. Traces within the quota were accepted.',
  limit_reached:
    'The trace has too many spans, or too many traces of the project wait for more spans. The message names the limit.',
} as const;

export type RejectionCode = keyof typeof REJECTIONS;

/** Body of every error response. `message` is repeated at the top level, where older clients read it. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    /** How to fix errors with this code. */
    readonly remedy: string;
    readonly requestId: string;
    readonly details?: ErrorDetails;
  };
  readonly message: string;
  readonly upgradeRequired?: boolean;
}

export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  readonly fields?: readonly FieldError[];
  /** Number of invalid fields not listed in `fields`. */
  readonly moreFields?: number;
  readonly upgradeRequired?: boolean;
  readonly limit?: number;
  readonly used?: number;
  /** Name of the exceeded limit. It is in `API_LIMITS` or, for requests that send traces, in `REQUEST_LIMITS`. */
  readonly limitName?: ApiLimitName | RequestLimitName;
  /** The resource whose plan limit was reached. `upgradeTo` is a larger plan whose limit is sufficient; null if there is none. */
  readonly gate?: PlanLimit;
  readonly upgradeTo?: PlanId | null;
  /** How the caller must confirm their identity. */
  readonly confirmWith?: ConfirmWith;
}

/**
 * How a user confirms their identity. `code`, if two-factor authentication is on: a code from the app, or a backup code. `password`,
 * otherwise.
 */
export type ConfirmWith = 'password' | 'code';
