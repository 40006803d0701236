import { OrganizationName, OrganizationSlug, RegisterBody, TEXTS } from '@throughline/contract';

/** A registration form as it is filled in. Only an organization's has the last two. */
export interface RegistrationValues {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly confirmation: string;
  readonly organizationName: string;
  readonly organizationSlug: string;
}

/** The first thing that is wrong with a form, and the field to correct. */
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
 * Checks in the product's order: all filled in, passwords equal, long enough, a possible address, then the limits
 * that the server sets. Undefined when all is well.
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

/** The typed text with only the characters of a slug: lower case, blanks as hyphens, no others. */
export function stripSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '');
}
