import type { CapturedValue } from '@throughline/contract/values';

/** Deeper JSON than this is cut: what follows (redaction, JSON text) recurses. */
const maxDepth = 100;

/** Parsed JSON as a captured value: each `$type` key of the host's own escaped, so that a `$type` that travels is always ours. The same object where nothing is to be done. */
export function fromJson(value: CapturedValue): CapturedValue {
  return isPlain(value, 0) ? value : escaped(value, 0);
}

function isPlain(value: CapturedValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  return !Object.hasOwn(value, '$type') && Object.values(value).every((item) => isPlain(item, depth + 1));
}

function escaped(value: CapturedValue, depth: number): CapturedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth)
    return { $type: 'cut', of: Array.isArray(value) ? 'array' : 'object', reason: 'depth' };
  if (Array.isArray(value)) return value.map((item) => escaped(item, depth + 1));
  const properties = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, escaped(item, depth + 1)]),
  );
  return Object.hasOwn(value, '$type') ? { $type: 'object', properties } : properties;
}
