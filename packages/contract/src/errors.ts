import type { ApiLimitName } from './api-limits.ts';
import type { Gate } from './gates.ts';
import type { PlanId } from './plans.ts';
import type { RequestLimitName } from './request-limits.ts';
import { RECENT_AUTHENTICATION_MINUTES } from './route.ts';
import { EMAIL_LINK_HOURS } from './texts.ts';

/** Every error code a Throughline server answers with: its status, what it means, and what to do about it. */
export interface ErrorEntry {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

export const ERRORS = {
  validation_failed: {
    status: 400,
    meaning: 'A field of the request is missing or not what the call takes.',
    remedy: 'Correct the fields named in `details.fields` and send it again.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The body is not JSON, or not the object the call takes.',
    remedy: 'Send valid JSON in UTF-8; the message says where it breaks.',
  },
  malformed_request: {
    status: 400,
    meaning: 'What came is not a request that HTTP allows.',
    remedy: 'Send it with an ordinary HTTP client; a proxy in between may have broken it.',
  },
  invalid_encoding: {
    status: 400,
    meaning: 'The body could not be unpacked as its content-encoding says.',
    remedy: 'Send gzip, br or zstd whole, or no content-encoding.',
  },
  invalid_credentials: {
    status: 401,
    meaning: 'E-mail or password is wrong.',
    remedy: 'Check both and try again.',
  },
  invalid_code: {
    status: 401,
    meaning: 'The code of the second step of a login is wrong or was used before.',
    remedy: 'Enter the code that the authenticator app shows now, or a backup code.',
  },
  login_expired: {
    status: 401,
    meaning: 'The second step of the login came too late, or after too many wrong codes.',
    remedy: 'Log in again with the password.',
  },
  wrong_password: {
    status: 400,
    meaning: 'The current password is wrong.',
    remedy: 'Enter the password that you log in with now.',
  },
  wrong_code: {
    status: 400,
    meaning: 'The authenticator code or backup code is wrong or was used before.',
    remedy: 'Enter the code that the authenticator app shows now, or a backup code that is still unused.',
  },
  reset_invalid: {
    status: 400,
    meaning: 'The password link is unknown, was used, or is older than an hour.',
    remedy: 'Ask for a new one.',
  },
  email_link_invalid: {
    status: 400,
    meaning: `The link that confirms an e-mail address is unknown, was used or cancelled, or is older than ${EMAIL_LINK_HOURS} hours.`,
    remedy: 'Ask for a new one on Settings › Profile.',
  },
  invalid_signature: {
    status: 400,
    meaning: 'A message in the name of the payment provider is not signed by it, or was long ago.',
    remedy: "Check the signing secret of the provider's webhook, and the clock of this machine.",
  },
  plan_not_available: {
    status: 400,
    meaning: 'The plan is not one that this kind of account can have.',
    remedy: 'Choose one of those that `GET …/plans` lists.',
  },
  unauthenticated: {
    status: 401,
    meaning: 'There is no session, or it has ended.',
    remedy: 'Log in and send its token as `Authorization: Bearer …`.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The API key is missing, unknown or was regenerated.',
    remedy: "Copy the project's current key and send it as `x-api-key`.",
  },
  trial_expired: {
    status: 402,
    meaning:
      'The free trial, or the plan that was paid for, is over: traces are no longer accepted; those stored stay readable.',
    remedy: 'Choose a plan.',
  },
  payment_failed: {
    status: 402,
    meaning: 'The payment did not go through; the subscription is what it was.',
    remedy: 'Check the card with the payment provider, then try again.',
  },
  forbidden: {
    status: 403,
    meaning: 'Your role does not allow this.',
    remedy: 'Ask the owner of the organization.',
  },
  reauthentication_required: {
    status: 403,
    meaning: `The call needs a login, or a confirmation of your identity, in the last ${RECENT_AUTHENTICATION_MINUTES} minutes. The session goes on.`,
    remedy:
      'Send your password, or with two-factor authentication a code (`details.confirmWith` says which), to `POST /api/auth/confirm`. Then repeat the call.',
  },
  unknown_host: {
    status: 421,
    meaning:
      'A development server answers to localhost, to loopback addresses and to the host of PUBLIC_URL.',
    remedy: 'Open it as http://localhost with its port, or set PUBLIC_URL to the address that you use.',
  },
  registration_closed: {
    status: 403,
    meaning: 'Accounts on this server are made by invitation only.',
    remedy: 'Ask the owner of an organization to invite you, or the operator for an account.',
  },
  plan_by_operator: {
    status: 403,
    meaning: 'Plans on this server are changed by its operator.',
    remedy: 'Ask the operator of the server, who changes plans with `throughline plan set`.',
  },
  plan_limit: {
    status: 403,
    meaning: 'The plan does not include more of this.',
    remedy:
      'Choose a larger plan, or remove what is over the limit; `details` has the limit and what is used.',
  },
  not_found: {
    status: 404,
    meaning: 'It is not there, or not yours to know of.',
    remedy: 'Check the id, and that you are signed in to the right account.',
  },
  invitation_invalid: {
    status: 404,
    meaning: 'The invitation is unknown, was used or withdrawn, or is older than 7 days.',
    remedy: 'Ask the owner of the organization to send it again.',
  },
  registration_required: {
    status: 409,
    meaning: 'The invited address has no account yet.',
    remedy: 'Register with the invitation, at `/register?token=…`.',
  },
  wrong_account: {
    status: 403,
    meaning: 'The invitation is for another e-mail address than the one signed in.',
    remedy: 'Log in as the invited person.',
  },
  key_unreadable: {
    status: 409,
    meaning: 'The stored API key is damaged and cannot be shown. Services that have it can still send.',
    remedy: 'Regenerate the key, and give the new one to the services.',
  },
  already_member: {
    status: 409,
    meaning: 'The person belongs to an organization already; one can belong to one at a time.',
    remedy: 'The person has to leave the other organization first.',
  },
  already_invited: {
    status: 409,
    meaning: 'An invitation to this address is pending.',
    remedy: 'Send it again, or withdraw it first.',
  },
  slug_taken: {
    status: 409,
    meaning: 'Another organization has this slug.',
    remedy: 'Choose another slug.',
  },
  owner_stays: {
    status: 409,
    meaning: 'An organization always has its owner, who can neither be removed nor leave nor change role.',
    remedy: 'Hand the organization over first.',
  },
  members_remain: {
    status: 409,
    meaning: 'The organization has other members, so its owner cannot delete the account.',
    remedy: 'Remove them or hand the organization over first.',
  },
  cancel_subscription_first: {
    status: 409,
    meaning: 'The account has a paid subscription that is not set to end.',
    remedy: 'Cancel the subscription first.',
  },
  subscription_state: {
    status: 409,
    meaning: 'The subscription is not in a state in which this can be done.',
    remedy: 'Load it again to see how it is now.',
  },
  two_factor_enabled: {
    status: 409,
    meaning: 'Two-factor authentication is on already.',
    remedy: 'Disable it before you set it up again.',
  },
  two_factor_disabled: {
    status: 409,
    meaning: 'Two-factor authentication is not set up.',
    remedy: 'Set it up first.',
  },
  nothing_to_confirm: {
    status: 409,
    meaning: 'No e-mail address of the account waits to be confirmed.',
    remedy: 'Load the account again: the address was confirmed, or the change was cancelled or has expired.',
  },
  email_taken: {
    status: 409,
    meaning: 'An account with this e-mail address exists.',
    remedy: 'Log in, or use another address.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive whole in two minutes; nothing of it was stored.',
    remedy: 'Send it again, less at a time where the connection is slow.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The address and the headers are longer than 16 kB.',
    remedy: 'Ask with fewer ids or filters at a time, or send fewer cookies and headers.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than the call takes.',
    remedy: 'Send less at a time; the message names the limit, and the reference lists them all.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The content type or content encoding is not one that the call takes.',
    remedy: 'Send application/json, plain or packed with gzip, br or zstd.',
  },
  quota_exceeded: {
    status: 429,
    meaning: "The month's traces are used up.",
    remedy: 'Upgrade the plan, or wait: the Retry-After header says until when.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'Too many requests from here in a short time.',
    remedy: 'Wait, then try again: the Retry-After header says when.',
  },
  too_many_feeds: {
    status: 429,
    meaning: 'The session or the account has as many live feeds open as it may have.',
    remedy: 'Close a page or a program that follows new traces; Retry-After says when to try again.',
  },
  overloaded: {
    status: 503,
    meaning: 'The server cannot take more just now; nothing of the request was stored.',
    remedy: 'Try the same again a little later: the Retry-After header says when.',
  },
  unavailable: {
    status: 503,
    meaning: 'A store is not ready, or the server is starting or stopping.',
    remedy: 'Try again in a few seconds.',
  },
  payment_unavailable: {
    status: 503,
    meaning: 'The payment provider could not be reached, or did not answer as expected.',
    remedy: 'Try again in a minute: the same change is never charged twice.',
  },
  internal: {
    status: 500,
    meaning: 'Something failed on the server.',
    remedy: 'Try again; if it stays, report the request id to the operator.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Any call may answer with these, beyond its own. */
export const COMMON_ERRORS = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'too_many_requests',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/** A call that takes a body may answer with these, too. */
export const BODY_ERRORS = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[];

/** Why one trace of a batch was not accepted while others were. */
export const REJECTIONS = {
  invalid_trace: 'A field of the trace is missing or wrong; the message names it.',
  too_old: "The trace started before the plan's retention begins.",
  quota_exceeded: "The month's traces are used up; what fitted was accepted.",
  limit_reached:
    'Spans of a trace that has as many as it may, or of a project with too many open traces; the message names the limit.',
} as const;

export type RejectionCode = keyof typeof REJECTIONS;

/** The body of every answer that is not a success. `message` stands twice: clients of older screens read it at the top. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    /** What to do about errors of this code. */
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
  /** Wrong fields beyond those in `fields`. */
  readonly moreFields?: number;
  readonly upgradeRequired?: boolean;
  readonly limit?: number;
  readonly used?: number;
  /** The limit of `API_LIMITS`, or with traces of `REQUEST_LIMITS`, that the request is over. */
  readonly limitName?: ApiLimitName | RequestLimitName;
  /** What the plan limits, and the next plan that has room; null where none has. */
  readonly gate?: Gate;
  readonly upgradeTo?: PlanId | null;
  /** How the caller confirms their identity. */
  readonly confirmWith?: ConfirmWith;
}

/** The proof of identity that a caller sends: the password, or where two-factor authentication is on a code of the app or a backup code. */
export type ConfirmWith = 'password' | 'code';
