import { Refusal } from './refusal.ts';

/** Returns a trimmed string. Rejects (400) a value that is missing, empty, not a string, or too long. */
export function readText(value: unknown, name: string, maxLength = 200): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Refusal(400, `${name} is required`);
  const text = value.trim();
  if (text.length > maxLength) throw new Refusal(400, `${name} must be at most ${maxLength} characters long`);
  return text;
}

export function readEmail(value: unknown, name: string): string {
  const email = readText(value, name).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Refusal(400, `${name} must be an e-mail address`);
  return email;
}

/** Returns an integer, or `fallback` if the value is missing. Rejects (400) any other value. */
export function readInteger(
  value: unknown,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback?: number },
): number {
  if (value === undefined && range.fallback !== undefined) return range.fallback;
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < range.min || number > range.max) {
    throw new Refusal(400, `${name} must be a whole number from ${range.min} to ${range.max}`);
  }
  return number;
}

/** Returns the fields of untrusted input. Returns no fields if the input is not an object. */
export function readFields(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** The largest id that the shop's tables can store. */
export const MAX_ID = 2_147_483_647;
