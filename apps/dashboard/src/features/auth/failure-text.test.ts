import { ApiError } from '@throughline/contract';
import { expect, it } from 'vitest';
import { formatFailure } from './failure-text.ts';

const OTHERWISE = 'Registration failed';

it("a failed login or registration shows the server's message", () => {
  const error = new ApiError({ status: 409, code: 'email_taken', message: 'That address is taken' });
  expect(formatFailure(error, OTHERWISE)).toBe('That address is taken');
});

it('a failed login or registration shows the default message if the server sent no message', () => {
  const error = new ApiError({ status: 502, code: 'unreadable_answer', message: 'no reason' });
  expect(formatFailure(error, OTHERWISE)).toBe(OTHERWISE);
});

it('a failed login or registration shows "An error occurred" if the server cannot be reached', () => {
  const error = new ApiError({ status: 0, code: 'network_failure', message: 'x' });
  expect(formatFailure(error, OTHERWISE)).toBe('An error occurred. Please try again.');
  expect(formatFailure(new TypeError('x'), OTHERWISE)).toBe('An error occurred. Please try again.');
});
