import { ApiError, ERRORS, type ErrorCode, TEXTS } from '@throughline/contract';
import { expect, it } from 'vitest';
import { findRemedy } from '../../ui/feedback/find-remedy.ts';
import { buildRefusalText, explainFailure } from './refusal.ts';

const ACTION = 'The project could not be renamed.';
const refuse = (code: ErrorCode) =>
  new ApiError({
    status: ERRORS[code].status,
    code,
    message: ERRORS[code].meaning,
    remedy: ERRORS[code].remedy,
    ...(ERRORS[code].status === 429 ? { retryAfterSeconds: 5 } : {}),
  });

it.each(['forbidden', 'not_found', 'already_member', 'too_many_requests', 'internal', 'overloaded'] as const)(
  'the message of an action refused with %s names the action and the reason, and has a remedy',
  (code) => {
    const error = refuse(code);
    expect(explainFailure(ACTION, error)).toBe(`${ACTION} ${ERRORS[code].meaning}`);
    expect(findRemedy(error)).toMatch(/\w/);
  },
);

it('the message of an action that did not reach the server names the action, and says to try again', () => {
  const error = new ApiError({
    status: 0,
    code: 'network_failure',
    message: 'The server could not be reached.',
  });
  expect(explainFailure(ACTION, error)).toBe(`${ACTION} ${TEXTS.networkError}`);
});

it('the message of an action that got no response tells how long the page waited', () => {
  const message = 'The server did not answer within 90 seconds.';
  const error = new ApiError({ status: 0, code: 'no_answer', message, remedy: 'Reload the page.' });
  expect(explainFailure(ACTION, error)).toBe(`${ACTION} ${message}`);
  expect(findRemedy(error)).toBe('Reload the page.');
});

it('the message of a failed action contains the reason that the server gave, or is a prescribed text if the server gave no reason', () => {
  const explain = buildRefusalText('Failed to update profile', { wordless: 'Failed to update profile' });
  expect(explain(refuse('forbidden'))).toBe(`Failed to update profile: ${ERRORS.forbidden.meaning}`);
  expect(explain(refuse('internal'))).toBe('Failed to update profile');
  expect(explain(new TypeError('x'))).toBe(TEXTS.networkError);
});
