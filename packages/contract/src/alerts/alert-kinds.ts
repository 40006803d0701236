import { z } from 'zod';

export const ALERT_KINDS = [
  'new_error',
  'reopened_error',
  'error_rate',
  'p95',
  'no_traffic',
  'insight',
] as const;
export const AlertKind = z.enum(ALERT_KINDS, {
  error: `kind must be one of ${ALERT_KINDS.join(', ')}`,
});
export type AlertKind = z.infer<typeof AlertKind>;
