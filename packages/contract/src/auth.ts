import { z } from 'zod';
import { Instant } from './instants.ts';
import { PLAN_IDS } from './plans.ts';
import { MEMBER_ROLES } from './roles.ts';
import { defineRoute } from './route.ts';
import { PASSWORD_MAX, PASSWORD_MIN_AT_REGISTRATION, TEXTS } from './texts.ts';

const Email = z
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
  /** The caller's own role in it. */
  role: z.enum(MEMBER_ROLES),
  /** The demo workspace: made by the product, removable by one button. */
  demo: z.boolean(),
});
export type Organization = z.infer<typeof Organization>;

const Identity = z.object({ user: User, organization: Organization.nullable() });
export type Identity = z.infer<typeof Identity>;

/** A new session. `token` is its bearer token, shown this once. */
export const SignedIn = Identity.extend({ token: z.string() });
export type SignedIn = z.infer<typeof SignedIn>;

/** The password was right and a second factor is asked for. */
const SecondFactor = z.object({ requires2FA: z.literal(true), tempToken: z.string() });

export const LoginBody = z.object({
  email: z.string({ error: TEXTS.loginRequired }).trim().min(1, TEXTS.loginRequired).max(254),
  password: z.string({ error: TEXTS.loginRequired }).min(1, TEXTS.loginRequired).max(PASSWORD_MAX),
});

export const RegisterBody = z.object({
  name: z
    .string({ error: TEXTS.allFieldsRequired })
    .trim()
    .min(1, TEXTS.allFieldsRequired)
    .max(100, 'Name must be at most 100 characters long'),
  email: Email,
  password: z
    .string({ error: TEXTS.allFieldsRequired })
    .min(1, TEXTS.allFieldsRequired)
    .min(PASSWORD_MIN_AT_REGISTRATION, TEXTS.passwordTooShort)
    .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`),
});

export const RegistrationType = z.object({
  id: z.enum(['solo', 'organization']),
  name: z.string(),
  description: z.string(),
  features: z.array(z.string()),
});

export const Done = z.object({ success: z.literal(true) });

const registration = {
  method: 'POST',
  access: { by: 'anyone' },
  body: RegisterBody,
  answer: SignedIn,
  status: 201,
  errors: ['validation_failed', 'email_taken', 'too_many_requests'],
} as const;

export const authRoutes = {
  login: defineRoute({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Log in with e-mail and password',
    access: { by: 'anyone' },
    body: LoginBody,
    answer: z.union([SignedIn, SecondFactor]),
    errors: ['validation_failed', 'invalid_credentials', 'too_many_requests'],
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
    summary: 'Who is signed in',
    access: { by: 'session' },
    answer: Identity,
    errors: [],
  }),
  registrationTypes: defineRoute({
    method: 'GET',
    path: '/api/auth/registration-types',
    summary: 'The kinds of account one can register',
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
};
