import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { BACKUP_CODES } from '@throughline/contract';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { toDataURL } from 'qrcode';

/** RFC 6238 as authenticator apps know it: SHA-1, six digits, 30 seconds. */
const STEP_SECONDS = 30;

export function newSecret(): string {
  return generateSecret();
}

/** A picture, as a data: address, that an authenticator app takes the secret from. */
export function qrCode(secret: string, account: string): Promise<string> {
  return toDataURL(generateURI({ issuer: 'Throughline', label: account, secret }), { margin: 2, width: 240 });
}

/** The time step that a code belongs to, now or one step off; undefined for any other code. */
export function findTimeStep(code: string, secret: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : undefined;
}

/** Crockford's base 32: no letter that is read as a digit. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 10;

/** Backup codes of 50 random bits, as `XXXXX-XXXXX`. */
export function newBackupCodes(): string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const letters = Array.from(randomBytes(CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** Hashes a backup code with a key that is not in the store: 50 bits alone could be guessed from a copy of it. */
export function createCodeHash(secretKey: Buffer): (code: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'backup-codes', 32));
  return (code) => createHmac('sha256', key).update(canonical(code)).digest('hex');
}

/** As it was printed, whatever case and dashes it was typed with, and O, I and L for the digits that they look like. */
function canonical(code: string): string {
  return code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}
