import { OrganizationName, OrganizationSlug, RegisterBody, TEXTS } from '@throughline/contract';

/** The values of a registration form. Only organizations have the last two fields. */
export interface RegistrationValues {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly confirmation: string;
  readonly organizationName: string;
  readonly organizationSlug: string;
}

/** The first problem of a form, and the field to correct. */
export interface FormProblem {
  readonly field: keyof RegistrationValues;
  readonly message: string;
}

const PERSON = ['name', 'email', 'password'] as const;
const ORGANIZATION = ['organizationName', 'organizationSlug'] as const;
const SCHEMAS = {
  ...RegisterBody.shape,
  organizationName: OrganizationName,
  organizationSlug: OrganizationSlug,
} as const;

/**
 * Returns the first problem, or undefined. Checks in this order: no field is empty, both passwords are equal, the password's length, the
 * email address, then the server's limits for names and slug.
 */
export function findProblem(values: RegistrationValues, ofOrganization: boolean): FormProblem | undefined {
  const required = ofOrganization ? [...PERSON, ...ORGANIZATION] : PERSON;
  const empty = required.find(
    (field) => values[field].trim() === '' && (field !== 'password' || values.password === ''),
  );
  if (empty !== undefined) return { field: empty, message: TEXTS.allFieldsRequired };
  if (values.password !== values.confirmation)
    return { field: 'confirmation', message: TEXTS.passwordsDiffer };
  const further = ofOrganization ? ORGANIZATION : [];
  for (const field of ['password', 'email', 'name', ...further] as const) {
    const issue = SCHEMAS[field].safeParse(values[field]).error?.issues[0];
    if (issue !== undefined) return { field, message: issue.message };
  }
  return undefined;
}

/** Converts typed text to slug characters: lower case, whitespace becomes hyphens, other characters are removed. */
export function stripSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '');
}
