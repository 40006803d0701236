import { hash } from 'node:crypto';

/** Attributes repeat from trace to trace; of those that do not, nothing is lost but a microsecond. */
const MOST_KEPT = 20_000;
const LONGEST_KEPT = 200;
const kept = new Map<string, string>();

/** By so many different attributes a trace is searched; of one with more, the texts are searched. */
export const MOST_ATTRIBUTES = 1000;

/** What attributes are searched by: what stands for their names, and for those with a value that a search can ask for. */
export interface AttributeHashes {
  readonly names: readonly string[];
  readonly pairs: readonly string[];
}

/** What stands for an attribute's name alone in `traces.attribute_names`: decimal digits of 64 bits. */
export function hashOfName(name: string): string {
  return hashOf(name);
}

/** What stands for an attribute with its value, as JSON text, in `traces.attribute_pairs`. */
export function hashOfPair(name: string, json: string): string {
  return hashOf(`${name}:${json}`);
}

/** The same in SQL, of an expression for `name:JSON` or for a name. */
export function hashSql(text: string): string {
  return `reinterpretAsUInt64(reverse(substring(SHA256(${text}), 1, 8)))`;
}

function hashOf(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const digits = BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`).toString();
  if (kept.size >= MOST_KEPT) kept.clear();
  if (text.length <= LONGEST_KEPT) kept.set(text, digits);
  return digits;
}
