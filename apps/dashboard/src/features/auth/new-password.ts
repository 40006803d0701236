import { PASSWORD_MIN_AT_CHANGE, TEXTS } from '@throughline/contract';

/** The first thing that is wrong with a new password and its repetition; undefined when all is well. */
export function findPasswordProblem(password: string, confirmation: string): string | undefined {
  if (password === '') return TEXTS.allFieldsRequired;
  if (password !== confirmation) return TEXTS.newPasswordsDiffer;
  return password.length < PASSWORD_MIN_AT_CHANGE ? TEXTS.newPasswordTooShort : undefined;
}
