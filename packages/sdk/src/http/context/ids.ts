import { loadLateModule } from '../../internal/late-modules.ts';

/** Number of random bytes that are generated and converted to hex at a time. They suffice for the ids of about 100 requests. */
const poolBytes = 4096;
let pool = '';
let used = 0;

function createRandomHex(bytes: number): string {
  const digits = bytes * 2;
  if (used + digits > pool.length) {
    pool = loadLateModule('node:crypto').randomBytes(poolBytes).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}

const zeros = /^0+$/;

/** Returns a W3C trace id: 32 hex digits, never all zero. */
export function createTraceId(): string {
  const id = createRandomHex(16);
  return zeros.test(id) ? createTraceId() : id;
}

/** Returns a W3C span id: 16 hex digits, never all zero. */
export function createSpanId(): string {
  const id = createRandomHex(8);
  return zeros.test(id) ? createSpanId() : id;
}

/** Returns a UUID version 7 (RFC 9562) for a time in epoch milliseconds: 48 bits of time, 74 random bits. */
export function createUuidV7(epochMs: number): string {
  const time = Math.floor(epochMs).toString(16).padStart(12, '0').slice(-12);
  const chance = createRandomHex(10);
  const variant = (8 + (Number.parseInt(chance.slice(3, 4), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-${variant}${chance.slice(4, 7)}-${chance.slice(7, 19)}`;
}
