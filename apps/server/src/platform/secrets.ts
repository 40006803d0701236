import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Where the server keeps the secret that it made. */
export function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** The server's secret: as set, else the one in the data folder, made there at the first start, readable by this user alone. */
export function loadSecretKey(config: {
  readonly secretKey: Buffer | undefined;
  readonly dataDir: string;
}): Buffer {
  if (config.secretKey !== undefined) return config.secretKey;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = secretFile(config.dataDir);
  if (!existsSync(file)) {
    const unfinished = `${file}.new`;
    writeFileSync(unfinished, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, file);
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold ${KEY_BYTES} bytes in base64.`);
  return key;
}

/** Encrypts texts so that only this server's secret opens them, each only where it was put. */
export interface Sealer {
  /** `place` is not secret: what is sealed for one place does not open in another. */
  seal(text: string, place: string): string;
  /** @throws when it was sealed with another secret, for another place, or changed since. */
  open(sealed: string, place: string): string;
}

/** AES-256-GCM with a key of its own for each purpose (HKDF-SHA-256). */
export function createSealer(secretKey: Buffer, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, KEY_BYTES));
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
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
