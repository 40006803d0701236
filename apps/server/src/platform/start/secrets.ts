import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Where the server keeps the secret that it made. */
export function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** The file with the server's secret is not one that was written as such. */
class BadSecretFile extends OperatorError {
  override readonly name = 'BadSecretFile';
}

/**
 * The server's secret: as set, else the one in the data folder; undefined where there is none.
 * @throws BadSecretFile
 */
export function findSecret(config: {
  readonly secretKey: Buffer | undefined;
  readonly dataDir: string;
}): Buffer | undefined {
  if (config.secretKey !== undefined) return config.secretKey;
  const file = secretFile(config.dataDir);
  if (!existsSync(file)) return undefined;
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new BadSecretFile(
    `${file} does not hold ${KEY_BYTES} bytes in base64: it was cut off or changed. Put the earlier file back, or set SECRET_KEY to its content; a backup holds it, too.`,
  );
}

/** Makes a secret and keeps it in the data folder, readable by this user alone. */
export function createSecret(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = secretFile(dataDir);
  const unfinished = `${file}.new`;
  const key = randomBytes(KEY_BYTES);
  writeFileSync(unfinished, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
  return key;
}

/** Tells one secret from another, and nothing else of it: 16 hex digits. Backups and stores hold it. */
export function computeSecretMark(secretKey: Buffer): string {
  return createHmac('sha256', secretKey).update('throughline backup').digest('hex').slice(0, 16);
}

/** Encrypts texts so that only this server's secret opens them, each only where it was put. */
export interface Sealer {
  /** `place` is not secret: what is sealed for one place does not open in another. */
  seal(text: string, place: string): string;
  /** @throws when it was sealed with another secret, for another place, or changed since. */
  open(sealed: string, place: string): string;
  /** Undefined where {@link open} throws: one damaged row must not fail a list of many. */
  tryOpen(sealed: string, place: string): string | undefined;
}

/** Sealed texts of each purpose have a key of their own. */
export type SealPurpose = 'api-keys' | 'two-factor' | 'invitations' | 'mail' | 'alerts';

/** AES-256-GCM with a key of its own for each purpose (HKDF-SHA-256). */
export function createSealer(secretKey: Buffer, purpose: SealPurpose): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, KEY_BYTES));
  const open: Sealer['open'] = (sealed, place) => {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  };
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open,
    tryOpen(sealed, place) {
      try {
        return open(sealed, place);
      } catch {
        return undefined;
      }
    },
  };
}

/** A secret that is long and random needs no slow hash: SHA-256, in hex. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** 256 random bits, safe in a header. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Random letters and digits, each of the 62 as likely. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}
