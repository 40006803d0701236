import { ApiError } from '@throughline/contract';
import { expect, it } from 'vitest';
import { failureText } from './failure-text.ts';

const OTHERWISE = 'Registration failed';

it("a failed login or registration shows the server's message", () => {
  const error = new ApiError({ status: 409, code: 'email_taken', message: 'That address is taken' });
  expect(failureText(error, OTHERWISE)).toBe('That address is taken');
});

it('a failed login or registration shows the default message if the server sent no message', () => {
  const error = new ApiError({ status: 502, code: 'unreadable_answer', message: 'no reason' });
  expect(failureText(error, OTHERWISE)).toBe(OTHERWISE);
});

it('a failed login or registration shows a network error if the server cannot be reached', () => {
  const error = new ApiError({ status: 0, code: 'network_failure', message: 'x' });
  expect(failureText(error, OTHERWISE)).toBe('An error occurred. Please try again.');
  expect(failureText(new TypeError('x'), OTHERWISE)).toBe('An error occurred. Please try again.');
});
