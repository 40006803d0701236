import { z } from 'zod';
import { PASSWORD_MAX, PASSWORD_MIN_AT_CHANGE, TEXTS } from '../format/texts.ts';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { Done, Email, PersonName, User } from './auth.ts';

const NewPassword = z
  .string({ error: TEXTS.allFieldsRequired })
  .min(1, TEXTS.allFieldsRequired)
  .min(PASSWORD_MIN_AT_CHANGE, TEXTS.newPasswordTooShort)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters long`);

export const SessionInfo = z.object({
  id: z.uuid(),
  /**
   * The device of the session's first request: browser and operating system, as far as they are known, otherwise the program, such as
   * `curl`. Null if nothing is known.
   */
  device: z.string().nullable(),
  /** The network address of the session's last use. */
  address: z.string().nullable(),
  /**
   * Country in which the address is registered (ISO 3166-1, two letters); null for private and unknown
   * addresses.
   */
  country: z.string().nullable(),
  createdAt: Instant,
  /** When the session was last used, accurate to within a few minutes. */
  lastSeenAt: Instant,
  current: z.boolean(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

const session = { by: 'session' } as const;

export const accountRoutes = {
  updateProfile: defineRoute({
    method: 'PUT',
    path: '/api/auth/profile',
    summary:
      "Change the caller's name and email address. A new address takes effect when the link that was sent to the address is opened",

    access: session,
    recentAuthentication: 'email-change',
    body: z.object({ name: PersonName, email: Email }),
    answer: z.object({ user: User }),
    errors: ['validation_failed', 'email_taken', 'too_many_requests'],
  }),
  resendEmailLink: defineRoute({
    method: 'POST',
    path: '/api/auth/email/resend',
    summary:
      "Send the confirmation link again: for the pending address if there is one, otherwise for the caller's address",
    access: session,
    answer: z.object({ email: z.string() }),
    errors: ['nothing_to_confirm', 'too_many_requests'],
  }),
  cancelEmailChange: defineRoute({
    method: 'DELETE',
    path: '/api/auth/email/pending',
    summary: "Cancel the pending change of the caller's email address",
    access: session,
    answer: z.object({ user: User }),
    errors: [],
  }),
  verifyEmail: defineRoute({
    method: 'POST',
    path: '/api/auth/email/verify',
    summary: 'Confirm an email address with the link that was sent to the address',
    access: { by: 'anyone', limit: 'account' },
    body: z.object({
      token: z
        .string({ error: TEXTS.emailLinkInvalid })
        .min(1, TEXTS.emailLinkInvalid)
        .max(200, TEXTS.emailLinkInvalid),
    }),
    answer: z.object({ email: z.string() }),
    errors: ['validation_failed', 'email_link_invalid', 'email_taken', 'too_many_requests'],
  }),
  changePassword: defineRoute({
    method: 'PUT',
    path: '/api/auth/password',
    summary: "Change the caller's password and end all other sessions",
    access: session,
    body: z.object({
      currentPassword: z
        .string({ error: TEXTS.allFieldsRequired })
        .min(1, TEXTS.allFieldsRequired)
        .max(PASSWORD_MAX, TEXTS.currentPasswordWrong),
      newPassword: NewPassword,
    }),
    answer: z.object({ message: z.string() }),
    errors: ['validation_failed', 'wrong_password', 'overloaded', 'too_many_requests'],
  }),
  forgotPassword: defineRoute({
    method: 'POST',
    path: '/api/auth/password/forgot',
    summary: 'Send a link to set a new password, if the account exists',
    access: { by: 'anyone', limit: 'account' },
    body: z.object({ email: Email }),
    status: 202,
    answer: Done,
    errors: ['validation_failed', 'too_many_requests'],
  }),
  resetPassword: defineRoute({
    method: 'POST',
    path: '/api/auth/password/reset',
    summary: 'Set a new password with the link and end all sessions',
    access: { by: 'anyone', limit: 'account' },
    body: z.object({
      token: z
        .string({ error: TEXTS.passwordLinkInvalid })
        .min(1, TEXTS.passwordLinkInvalid)
        .max(200, TEXTS.passwordLinkInvalid),
      newPassword: NewPassword,
    }),
    answer: Done,
    errors: ['validation_failed', 'reset_invalid', 'overloaded', 'too_many_requests'],
  }),
  sessions: defineRoute({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: "The caller's sessions, most recently used first",
    access: session,
    answer: z.object({ sessions: z.array(SessionInfo) }),
    errors: [],
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: "End one of the caller's sessions",
    access: session,
    params: z.object({ id: z.string() }),
    answer: Done,
    errors: ['not_found'],
  }),
  endOtherSessions: defineRoute({
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: "End all of the caller's other sessions",
    access: session,
    answer: Done,
    errors: [],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/auth/account',
    summary: "Delete the caller's account with its projects and traces",
    access: { by: 'session', action: 'account.delete', on: 'own' },
    recentAuthentication: true,
    answer: Done,
    errors: ['forbidden', 'members_remain', 'cancel_subscription_first'],
  }),
};
