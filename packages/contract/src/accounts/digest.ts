import { z } from 'zod';
import { TEXTS } from '../format/texts.ts';
import { defineRoute } from '../http/route.ts';
import { Done } from './auth.ts';

/** Hour of Monday, in UTC, at which the digest is mailed. The week that the digest covers ends at the same time. */
export const DIGEST_HOUR_UTC = 8;

/** A user's choice whether to get the weekly digest. */
export const DigestChoice = z.object({
  /** True unless the user turned the digest off. */
  on: z.boolean(),
  /** False if no mail server is configured, so that no digest is sent. */
  mailServer: z.boolean(),
});
export type DigestChoice = z.infer<typeof DigestChoice>;

export const digestRoutes = {
  read: defineRoute({
    method: 'GET',
    path: '/api/auth/digest',
    summary: 'Whether the caller gets the weekly digest by email',
    access: { by: 'session' },
    answer: z.object({ digest: DigestChoice }),
    errors: [],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/auth/digest',
    summary: "Turn the caller's weekly digest on or off",
    access: { by: 'session' },
    body: z.object({ on: z.boolean({ error: 'on must be true or false' }) }),
    answer: z.object({ digest: DigestChoice }),
    errors: ['validation_failed'],
  }),
  unsubscribe: defineRoute({
    method: 'POST',
    path: '/api/auth/digest/unsubscribe',
    summary: 'Turn the weekly digest off with the link from a digest',
    access: { by: 'anyone', limit: 'account' },
    body: z.object({
      token: z
        .string({ error: TEXTS.unsubscribeLinkInvalid })
        .min(1, TEXTS.unsubscribeLinkInvalid)
        .max(200, TEXTS.unsubscribeLinkInvalid),
    }),
    answer: Done,
    errors: ['validation_failed', 'too_many_requests'],
  }),
};
