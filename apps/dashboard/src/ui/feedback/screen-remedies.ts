import type { ErrorCode } from '@throughline/contract';

/** Remedies for users of the dashboard. They replace the server's remedies that are written for API clients. */
export const SCREEN_REMEDIES: Readonly<Partial<Record<string, string>>> = {
  validation_failed: 'Check what you entered, then try again.',
  invalid_json: 'Reload the page, then try again.',
  malformed_request:
    'Reload the page, then try again. A proxy between your browser and the server may have changed the request.',
  invalid_encoding: 'Reload the page, then try again.',
  plan_not_available: 'Choose one of the plans on the Billing page.',
  unauthenticated: 'Log in again.',
  invalid_api_key: "Copy the project's current key from the Projects page.",
  session_required: 'Log in again.',
  reauthentication_required: 'Try again and confirm your identity.',
  plan_by_operator: 'Ask the operator of this server to change your plan.',
  plan_limit: 'Choose a larger plan, or remove something.',
  not_found: 'Reload the page, and check that you are logged in to the right account.',
  registration_required: 'Register with the link in the invitation.',
  subscription_state: 'Reload the page to see the current state of the subscription.',
  nothing_to_confirm:
    'Reload the page: the address was confirmed, or the change was cancelled or has expired.',
  request_timeout: 'Check your connection, then try again.',
  headers_too_large: 'Use fewer filters, or select fewer traces.',
  payload_too_large: 'Shorten what you entered, then try again.',
  unsupported_media_type: 'Reload the page, then try again.',
  quota_exceeded: 'Upgrade the plan, or wait until the quota resets.',
  too_many_requests: 'Try again in a few minutes.',
  too_many_feeds: 'Close another page that shows live traces.',
  overloaded: 'Try again in a few seconds.',
} satisfies Partial<Record<ErrorCode, string>>;
