import { z } from 'zod';
import { PASSWORD_MAX, PASSWORD_MIN_AT_REGISTRATION, TEXTS } from '../format/texts.ts';
import { RECENT_AUTHENTICATION_MINUTES } from '../http/recent-authentication.ts';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { PLAN_IDS } from '../plans/plans.ts';
import { MEMBER_ROLES } from './roles.ts';

export const Email = z
  .string({ error: TEXTS.allFieldsRequired })
  .trim()
  .min(1, TEXTS.allFieldsRequired)
  .max(254, TEXTS.emailInvalid)
  .pipe(z.email(TEXTS.emailInvalid))
  .transform((email) => email.toLowerCase());

export const UserType = z.enum(['solo', 'organization_member']);

export const User = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** True if the user has opened a link that was mailed to the address, or if the server's operator created the account. */
  emailVerified: z.boolean(),
  /** New address that is not confirmed yet. It replaces the old address when the user opens the link mailed to the new one. */
  pendingEmail: z.string().nullable(),
  userType: UserType,
  createdAt: Instant,
});
export type User = z.infer<typeof User>;

export const Limits = z.object({
  maxMembers: z.number(),
  maxProjects: z.number(),
  maxTracesPerMonth: z.number(),
  retentionHours: z.number(),
});

export const Organization = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  plan: z.enum(PLAN_IDS),
  memberCount: z.number(),
  projectCount: z.number(),
  limits: Limits,
  subscription: z.object({ plan: z.enum(PLAN_IDS) }),
  /** The caller's role in the organization. */
  role: z.enum(MEMBER_ROLES),
  /** True for the demo workspace, which the server created and which users can remove with one button. */
  demo: z.boolean(),
});
export type Organization = z.infer<typeof Organization>;

const Identity = z.object({ user: User, organization: Organization.nullable() });
export type Identity = z.infer<typeof Identity>;

/** A new session. `token` is its bearer token; it is returned only in this response. */
export const SignedIn = Identity.extend({ token: z.string() });
export type SignedIn = z.infer<typeof SignedIn>;

/** Response to a login with the correct password, if the account also requires a second factor. */
const SecondFactor = z.object({ requires2FA: z.literal(true), tempToken: z.string() });

export const LoginBody = z.object({
  email: z.string({ error: TEXTS.loginRequired }).trim().min(1, TEXTS.loginRequired).max(254),
  password: z.string({ error: TEXTS.loginRequired }).min(1, TEXTS.loginRequired).max(PASSWORD_MAX),
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: `\p{Cc}` needs the flag `u`, and a pattern in OpenAPI has no flags
export const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

export const PersonName = z
  .string({ error: TEXTS.allFieldsRequired })
  .trim()
  .min(1, TEXTS.allFieldsRequired)
  .max(100, 'Name must be at most 100 characters long')
  .regex(NO_CONTROLS, 'Name must not contain line breaks or other control characters');

const NewAccount = z.object({
  name: PersonName,
  email: Email,
  password: z
    .string({ error: TEXTS.allFieldsRequired })
    .min(1, TEXTS.allFieldsRequired)
    .min(PASSWORD_MIN_AT_REGISTRATION, TEXTS.passwordTooShort)
    .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`),
});
export const RegisterBody = NewAccount;

export const OrganizationName = z
  .string({ error: TEXTS.allFieldsRequired })
  .trim()
  .min(1, TEXTS.allFieldsRequired)
  .max(100, 'Organization name must be at most 100 characters long')
  .regex(NO_CONTROLS, 'Organization name must not contain line breaks or other control characters');

/** Consists of lowercase ASCII letters, digits and hyphens, with at least one letter or digit. */
export const OrganizationSlug = z
  .string({ error: TEXTS.allFieldsRequired })
  .min(1, TEXTS.allFieldsRequired)
  .max(63, 'Organization slug must be at most 63 characters long')
  .regex(/^[a-z0-9-]+$/, TEXTS.slugInvalid)
  .regex(/[a-z0-9]/, 'Organization slug must contain a letter or a number');

export const RegisterOrganizationBody = NewAccount.extend({
  organizationName: OrganizationName,
  organizationSlug: OrganizationSlug,
});

/** The token is the last part of an invitation's link. */
export const TokenParams = z.object({ token: z.string() });

export const RegistrationType = z.object({
  id: z.enum(['solo', 'organization']),
  name: z.string(),
  description: z.string(),
  features: z.array(z.string()),
});

export const Done = z.object({ success: z.literal(true) });

const registration = {
  method: 'POST',
  access: { by: 'anyone', limit: 'account' },
  body: RegisterBody,
  answer: SignedIn,
  status: 201,
  errors: ['validation_failed', 'registration_closed', 'email_taken', 'overloaded', 'too_many_requests'],
} as const;

/** Password or code, as {@link ErrorDetails.confirmWith} requires. */
const Confirmation = z
  .object({
    password: z.string().max(PASSWORD_MAX, TEXTS.currentPasswordWrong).nullish(),
    code: z.string().trim().max(40, TEXTS.codeOrBackupInvalid).nullish(),
  })
  .refine(({ password, code }) => Boolean(password) !== Boolean(code), {
    error: TEXTS.confirmationRequired,
    path: ['password'],
  });

export const authRoutes = {
  login: defineRoute({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Log in with email and password',
    access: { by: 'anyone', limit: 'login' },
    body: LoginBody,
    answer: z.union([SignedIn, SecondFactor]),
    errors: ['validation_failed', 'invalid_credentials', 'overloaded', 'too_many_requests'],
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End this session',
    access: { by: 'session' },
    answer: Done,
    errors: [],
  }),
  session: defineRoute({
    method: 'GET',
    path: '/api/auth/session',
    summary: 'The logged-in user',
    access: { by: 'session' },
    answer: Identity,
    errors: [],
  }),
  registrationTypes: defineRoute({
    method: 'GET',
    path: '/api/auth/registration-types',
    summary: 'Account types that can be registered; empty if registration is by invitation only',
    access: { by: 'anyone' },
    answer: z.object({ types: z.array(RegistrationType) }),
    errors: [],
  }),
  register: defineRoute({
    ...registration,
    path: '/api/auth/register',
    summary: 'Register a solo account (the same as register/solo)',
  }),
  registerSolo: defineRoute({
    ...registration,
    path: '/api/auth/register/solo',
    summary: 'Register a solo account',
  }),
  registerOrganization: defineRoute({
    ...registration,
    path: '/api/auth/register/organization',
    summary: 'Register an organization and its owner',
    body: RegisterOrganizationBody,
    errors: [
      'validation_failed',
      'registration_closed',
      'email_taken',
      'slug_taken',
      'overloaded',
      'too_many_requests',
    ],
  }),
  registerInvited: defineRoute({
    ...registration,
    path: '/api/auth/register/invitation/:token',
    summary: "Register with an invitation; the account gets the invitation's email address",
    params: TokenParams,
    body: NewAccount,
    errors: [
      'validation_failed',
      'email_taken',
      'invitation_invalid',
      'wrong_account',
      'plan_limit',
      'overloaded',
      'too_many_requests',
    ],
  }),
  confirm: defineRoute({
    method: 'POST',
    path: '/api/auth/confirm',
    summary: `Confirm the caller's identity for routes that require recent authentication. Valid for ${RECENT_AUTHENTICATION_MINUTES} minutes in this session`,
    access: { by: 'session' },
    body: Confirmation,
    answer: Done,
    errors: [
      'validation_failed',
      'wrong_password',
      'wrong_code',
      'reauthentication_required',
      'overloaded',
      'too_many_requests',
    ],
  }),
  verifyLogin: defineRoute({
    method: 'POST',
    path: '/api/auth/2fa/verify-login',
    summary: 'Complete a login with a code from the authenticator app or a backup code',
    access: { by: 'anyone', limit: 'account' },
    body: z.object({
      tempToken: z
        .string({ error: TEXTS.loginExpired })
        .min(1, TEXTS.loginExpired)
        .max(200, TEXTS.loginExpired),
      code: z
        .string({ error: TEXTS.codeRequired })
        .trim()
        .min(1, TEXTS.codeRequired)
        .max(40, TEXTS.codeInvalidAtLogin),
    }),
    answer: SignedIn,
    errors: ['validation_failed', 'invalid_code', 'login_expired', 'too_many_requests'],
  }),
};
