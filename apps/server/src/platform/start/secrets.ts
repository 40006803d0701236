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

/** Returns the path of the file with the secret that the server created. */
export function findSecretFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** The file with the server's secret cannot be read, or has invalid content. */
class BadSecretFile extends OperatorError {
  override readonly name = 'BadSecretFile';
}

const REMEDY =
  'Put the earlier file back, or set SECRET_KEY to its content; a backup contains the secret, too.';

/**
 * Returns the configured secret, or else the secret in the data folder. Returns undefined if there is none.
 * @throws BadSecretFile
 */
export function findSecret(config: {
  readonly secretKey: Buffer | undefined;
  readonly dataDir: string;
}): Buffer | undefined {
  if (config.secretKey !== undefined) return config.secretKey;
  const file = findSecretFile(config.dataDir);
  if (!existsSync(file)) return undefined;
  const key = Buffer.from(readSecretFile(file).trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new BadSecretFile(
    `${file} does not contain ${KEY_BYTES} bytes in base64: the secret was truncated or changed. ${REMEDY}`,
  );
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BadSecretFile(`${file} cannot be read (${reason}). ${REMEDY}`, { cause });
  }
}

/** Creates a secret in the data folder, readable only by the current user. */
export function createSecret(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = findSecretFile(dataDir);
  const unfinished = `${file}.new`;
  const key = randomBytes(KEY_BYTES);
  writeFileSync(unfinished, `${key.toString('base64')}\n`, { mode: 0o600, flush: true });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
  return key;
}

/**
 * Computes the secret's fingerprint, 16 hex digits, which does not reveal the secret. Backups and stores
 * contain it.
 */
export function computeSecretMark(secretKey: Buffer): string {
  return createHmac('sha256', secretKey).update('throughline backup').digest('hex').slice(0, 16);
}

/** Encrypts strings with this server's secret. A string can only be decrypted with the same `place`, which names its row or purpose. */
export interface Sealer {
  /** Encrypts a string. `place` is not secret, but the string cannot be decrypted with another `place`. */
  seal(text: string, place: string): string;
  /** @throws if the string was encrypted with another secret or another `place`, or was changed. */
  open(sealed: string, place: string): string;
  /** Returns undefined if {@link open} would throw, so that one damaged row does not fail a list. */
  tryOpen(sealed: string, place: string): string | undefined;
}

/** Purposes of encryption; each has its own key. */
export type SealPurpose = 'api-keys' | 'two-factor' | 'invitations' | 'mail' | 'alerts' | 'digest';

/** Creates a sealer that uses AES-256-GCM with a separate key per purpose (HKDF-SHA-256). */
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

/** Hashes a token with SHA-256, in hex. Tokens are long and random, so they need no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Creates a token of 256 random bits that is safe in a header. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Creates a string of random letters and digits. All 62 characters are equally likely. */
export function createRandomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}
