import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { BACKUP_CODES } from '@throughline/contract';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { toDataURL } from 'qrcode';

/** The parameters of RFC 6238 that authenticator apps support: SHA-1, six digits, 30 seconds. */
const STEP_SECONDS = 30;

export function createSecret(): string {
  return generateSecret();
}

/** Draws a QR code, as a data: URL, from which an authenticator app reads the secret. */
export function drawQrCode(secret: string, account: string): Promise<string> {
  return toDataURL(generateURI({ issuer: 'Throughline', label: account, secret }), { margin: 2, width: 240 });
}

/** Returns the time step of a code if it is the current step or the one before or after; undefined for any other code. */
export function findTimeStep(code: string, secret: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : undefined;
}

/** Crockford's base 32, which leaves out the letters I, L, O and U: I, L and O look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 10;

/** Generates backup codes with 50 random bits each, in the form `XXXXX-XXXXX`. */
export function createBackupCodes(): string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const letters = Array.from(randomBytes(CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
}

/** Hashes a backup code with a key that is not in the store. Without the key, 50 bits could be guessed from a copy of the store. */
export function createCodeHash(secretKey: Buffer): (code: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'backup-codes', 32));
  return (code) => createHmac('sha256', key).update(normalizeCode(code)).digest('hex');
}

/**
 * Converts typed input to the printed form. Accepts any case and any dashes, and the letters O, I and L for the digits that they resemble.
 */
function normalizeCode(code: string): string {
  return code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}
