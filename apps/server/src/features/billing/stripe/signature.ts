import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference between the time in a message's signature and now. */
const TOLERANCE_SECONDS = 300;

/** Builds the header that Stripe would send with a body: `t=…,v1=…`, an HMAC-SHA-256 of time and body in hex. */
export function signBody(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${computeHmac(`${seconds}.${body}`, secret)}`;
}

/** True if the secret signed the body recently. The header has several signatures while a secret is being replaced. */
export function isSigned(body: string, header: string, secret: string, now: Date): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const seconds = Number(parts.find(([name]) => name === 't')?.[1]);
  if (!Number.isInteger(seconds) || Math.abs(now.getTime() / 1000 - seconds) > TOLERANCE_SECONDS)
    return false;
  const expected = Buffer.from(computeHmac(`${seconds}.${body}`, secret));
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value);
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function computeHmac(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
