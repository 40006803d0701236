import { z } from 'zod';

/** The methods that requests are narrowed to by. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** What of a public project's page lives in the URL. Anything unreadable there is as if absent. */
export const PublicParams = z.object({
  status: z.enum(['success', 'error']).optional().catch(undefined),
  method: z.enum(METHODS).optional().catch(undefined),
});
/** What is set, and what is taken away (`undefined`). */
export type PublicParams = {
  readonly [Name in keyof z.infer<typeof PublicParams>]?: z.infer<typeof PublicParams>[Name] | undefined;
};
