import { RegisterBody, TEXTS } from '@throughline/contract';

/** The solo form as it is filled in. */
export interface SoloFormValues {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly confirmation: string;
}

/** The first thing that is wrong with a form, and the field to correct. */
export interface FormProblem {
  readonly field: keyof SoloFormValues;
  readonly message: string;
}

const REQUIRED = ['name', 'email', 'password'] as const;

/**
 * Checks in the product's order: all filled in, passwords equal, long enough, a possible address, then the limits
 * that the server sets. Undefined when all is well.
 */
export function findProblem(values: SoloFormValues): FormProblem | undefined {
  const empty = REQUIRED.find(
    (field) => values[field].trim() === '' && (field !== 'password' || values.password === ''),
  );
  if (empty !== undefined) return { field: empty, message: TEXTS.allFieldsRequired };
  if (values.password !== values.confirmation)
    return { field: 'confirmation', message: TEXTS.passwordsDiffer };
  for (const field of ['password', 'email', 'name'] as const) {
    const read = RegisterBody.shape[field].safeParse(values[field]);
    const issue = read.error?.issues[0];
    if (issue !== undefined) return { field, message: issue.message };
  }
  return undefined;
}
