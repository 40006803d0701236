import { PASSWORD_MIN_AT_CHANGE, TEXTS } from '@throughline/contract';

/** Returns the first problem with a new password and its repetition, or undefined if both are valid. */
export function findPasswordProblem(password: string, confirmation: string): string | undefined {
  if (password === '') return TEXTS.allFieldsRequired;
  if (password !== confirmation) return TEXTS.newPasswordsDiffer;
  return password.length < PASSWORD_MIN_AT_CHANGE ? TEXTS.newPasswordTooShort : undefined;
}
