import { z } from 'zod';

const LoginParams = z.object({
  /** The path to open after login, within this product. */
  from: z.string().optional().catch(undefined),
});

const RegisterParams = z.object({
  /** The chosen account type; if absent, the page shows the choice. */
  type: z.enum(['solo', 'organization']).optional().catch(undefined),
  /** An invitation's token; if present, the page shows the invitation's form. */
  token: z.coerce.string().optional().catch(undefined),
});

const InviteParams = z.object({
  /** Set when the user comes back from login, to continue accepting the invitation. */
  accept: z.literal('true').optional().catch(undefined),
});

/** The token of a link from an email. */
const MailLinkParams = z.object({ token: z.coerce.string().default('').catch('') });

/** The URL parameters of pages without login, by route path. */
export const SIGNED_OUT_PARAMS = {
  '/login': LoginParams,
  '/register': RegisterParams,
  '/invite/$token': InviteParams,
  '/reset-password': MailLinkParams,
  '/verify-email': MailLinkParams,
} as const;
