import { z } from 'zod';
import { TEXTS } from '../format/texts.ts';
import { defineRoute } from '../http/route.ts';
import { Done } from './auth.ts';

/** Number of backup codes. Each works once. */
export const BACKUP_CODES = 10;

const Code = z
  .string({ error: TEXTS.codeRequired })
  .trim()
  .regex(/^\d{6}$/, TEXTS.codeRequired);
const BackupCodes = z.array(z.string());
const session = { by: 'session' } as const;

export const twoFactorRoutes = {
  status: defineRoute({
    method: 'GET',
    path: '/api/auth/2fa/status',
    summary: 'Whether two-factor authentication is on',
    access: session,
    /** `backupCodesLeft`: number of unused backup codes. */
    answer: z.object({ twoFAEnabled: z.boolean(), backupCodesLeft: z.number() }),
    errors: [],
  }),
  setup: defineRoute({
    method: 'POST',
    path: '/api/auth/2fa/setup',
    summary:
      'Create a new secret and backup codes, which become valid when a code from the authenticator app is verified',
    access: session,
    recentAuthentication: true,
    /** `secret` is in base32 (RFC 4648), `qrCodeUrl` is an image as a data: URL. */
    answer: z.object({ secret: z.string(), backupCodes: BackupCodes, qrCodeUrl: z.string() }),
    errors: ['two_factor_enabled'],
  }),
  verify: defineRoute({
    method: 'POST',
    path: '/api/auth/2fa/verify',
    summary: 'Turn on two-factor authentication with a code from the authenticator app',
    access: session,
    body: z.object({ code: Code }),
    answer: Done,
    errors: [
      'validation_failed',
      'wrong_code',
      'two_factor_enabled',
      'two_factor_disabled',
      'too_many_requests',
    ],
  }),
  regenerateBackupCodes: defineRoute({
    method: 'POST',
    path: '/api/auth/2fa/backup-codes',
    summary: 'Replace the backup codes',
    access: session,
    recentAuthentication: true,
    answer: z.object({ backupCodes: BackupCodes }),
    errors: ['two_factor_disabled'],
  }),
  disable: defineRoute({
    method: 'POST',
    path: '/api/auth/2fa/disable',
    summary: 'Turn off two-factor authentication with a code or a backup code',
    access: session,
    body: z
      .object({
        code: z.union([z.literal(''), Code]).nullish(),
        backupCode: z.string().trim().max(40, TEXTS.codeOrBackupInvalid).nullish(),
      })
      .refine(({ code, backupCode }) => Boolean(code) || Boolean(backupCode), {
        error: TEXTS.codeOrBackupRequired,
        path: ['code'],
      }),
    answer: Done,
    errors: ['validation_failed', 'wrong_code', 'two_factor_disabled', 'too_many_requests'],
  }),
};
