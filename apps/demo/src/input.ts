import { Refusal } from './refusal.ts';

/** A text field of a request's body, trimmed. Refuses (400) what is missing, no text, empty or longer than `maxLength`. */
export function readText(body: unknown, field: string, maxLength = 200): string {
  const value = readField(body, field);
  if (typeof value !== 'string' || value.trim() === '') throw new Refusal(400, `${field} is required`);
  const text = value.trim();
  if (text.length > maxLength) throw new Refusal(400, `${field} is at most ${maxLength} characters long`);
  return text;
}

export function readEmail(body: unknown, field: string): string {
  const email = readText(body, field).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Refusal(400, `${field} is no e-mail address`);
  return email;
}

/** A whole number from a body, a query or a path; `fallback` stands for a missing one. Refuses (400) anything else. */
export function readInteger(
  value: unknown,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback?: number },
): number {
  if (value === undefined && range.fallback !== undefined) return range.fallback;
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < range.min || number > range.max) {
    throw new Refusal(400, `${name} is a whole number from ${range.min} to ${range.max}`);
  }
  return number;
}

/** A field of what may be an object; undefined where it is none or has none of its own. */
export function readField(body: unknown, field: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, field)) return undefined;
  return Object.getOwnPropertyDescriptor(body, field)?.value;
}

/** The largest id that the shop's tables can hold. */
export const MAX_ID = 2_147_483_647;
