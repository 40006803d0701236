import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { Done, NO_CONTROLS } from './auth.ts';

/** Marks access tokens, so that people and secret scanners recognize them. */
export const ACCESS_TOKEN_PREFIX = 'tlr_';
/** Number of random letters and digits after the prefix: 256 bits. */
export const ACCESS_TOKEN_LENGTH = 43;
/** Numbers of days for which a token can be valid. */
export const ACCESS_TOKEN_DAYS = [7, 30, 90, 365] as const;
export type AccessTokenDays = (typeof ACCESS_TOKEN_DAYS)[number];
/** Maximum number of tokens of a user that have not expired. */
export const MAX_ACCESS_TOKENS = 20;
export const MAX_ACCESS_TOKEN_NAME = 80;

const FORMAT = new RegExp(`^${ACCESS_TOKEN_PREFIX}[0-9A-Za-z]{${ACCESS_TOKEN_LENGTH}}$`);

/** True if the text has the format of an access token. Tokens of sessions are shorter. */
export function isAccessToken(text: string): boolean {
  return FORMAT.test(text);
}

export const AccessToken = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: Instant,
  /** From this time on, the token is not accepted. */
  expiresAt: Instant,
  expired: z.boolean(),
  /** When the token was last used, accurate to a minute. Null if it was never used. */
  lastUsedAt: Instant.nullable(),
});
export type AccessToken = z.infer<typeof AccessToken>;

const NAME_REQUIRED = 'Enter a name for the token';

const NewAccessToken = z.strictObject({
  name: z
    .string({ error: NAME_REQUIRED })
    .trim()
    .min(1, NAME_REQUIRED)
    .max(MAX_ACCESS_TOKEN_NAME, `Name must be at most ${MAX_ACCESS_TOKEN_NAME} characters long`)
    .regex(NO_CONTROLS, 'Name must not contain line breaks or other control characters'),
  /** Number of days until the token expires. */
  days: z.literal(ACCESS_TOKEN_DAYS, { error: `days must be one of ${ACCESS_TOKEN_DAYS.join(', ')}` }),
});

const session = { by: 'session' } as const;

export const accessTokenRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/auth/access-tokens',
    summary: "The caller's access tokens, newest first. Expired tokens are listed for 30 days",
    access: session,
    answer: z.object({ accessTokens: z.array(AccessToken) }),
    errors: [],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/auth/access-tokens',
    summary: `Create an access token, which can only read. \`token\` is returned only in this response. At most ${MAX_ACCESS_TOKENS} tokens per user`,
    access: session,
    recentAuthentication: true,
    body: NewAccessToken,
    answer: z.object({ accessToken: AccessToken, token: z.string() }),
    status: 201,
    errors: ['validation_failed', 'too_many_access_tokens'],
  }),
  revoke: defineRoute({
    method: 'DELETE',
    path: '/api/auth/access-tokens/:id',
    summary: "Revoke one of the caller's access tokens",
    access: session,
    params: z.object({ id: z.string() }),
    answer: Done,
    errors: ['not_found'],
  }),
};
