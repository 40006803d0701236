import { z } from 'zod';

const LoginParams = z.object({
  /** Where the visitor was going, within this product. */
  from: z.string().optional().catch(undefined),
});

const RegisterParams = z.object({
  /** The chosen kind of account; absent, the chooser is shown. */
  type: z.enum(['solo', 'organization']).optional().catch(undefined),
  /** An invitation's: its form is shown. */
  token: z.coerce.string().optional().catch(undefined),
});

const InviteParams = z.object({
  /** Back from the login: what was begun goes on. */
  accept: z.literal('true').optional().catch(undefined),
});

/** The token of a link that was sent by mail. */
const MailLinkParams = z.object({ token: z.coerce.string().default('').catch('') });

/** The URL parameters of the visitors' pages, by the path that the router knows them by. */
export const VISITOR_PARAMS = {
  '/login': LoginParams,
  '/register': RegisterParams,
  '/invite/$token': InviteParams,
  '/reset-password': MailLinkParams,
  '/verify-email': MailLinkParams,
} as const;
