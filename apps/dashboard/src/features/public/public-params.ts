import { z } from 'zod';

/** The methods that requests are narrowed to by. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** The URL parameters of a public project's page. Unreadable ones are ignored. */
export const PublicParams = z.object({
  status: z.enum(['success', 'error']).optional().catch(undefined),
  method: z.enum(METHODS).optional().catch(undefined),
});
/** The parameters to set, and to remove (`undefined`). */
export type PublicParams = {
  readonly [Name in keyof z.infer<typeof PublicParams>]?: z.infer<typeof PublicParams>[Name] | undefined;
};
