import { z } from 'zod';
import { TablesParam } from '../../shell/url-state/tables-param.ts';

/** HTTP methods offered as filters. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** The URL parameters of a public project's page. Invalid parameters are ignored. */
export const PublicParams = z.object({
  status: z.enum(['success', 'error']).optional().catch(undefined),
  method: z.enum(METHODS).optional().catch(undefined),
  tables: TablesParam,
});
/** Parameters to set; `undefined` removes a parameter. */
export type PublicParams = {
  readonly [Name in keyof z.infer<typeof PublicParams>]?: z.infer<typeof PublicParams>[Name] | undefined;
};
