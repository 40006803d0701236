import type { CapturedValue } from '@throughline/contract/values';

/** Maximum depth of JSON. Deeper values are cut, because redaction and serialization are recursive. */
const maxDepth = 100;

/**
 * Converts parsed JSON to a captured value. The host's own `$type` keys are escaped, so that each `$type` in a sent trace is the SDK's.
 * Returns the same object if there is nothing to escape.
 */
export function escapeTypeKeys(value: CapturedValue): CapturedValue {
  return isPlain(value, 0) ? value : escapeValue(value, 0);
}

function isPlain(value: CapturedValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  return !Object.hasOwn(value, '$type') && Object.values(value).every((item) => isPlain(item, depth + 1));
}

function escapeValue(value: CapturedValue, depth: number): CapturedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth)
    return { $type: 'cut', of: Array.isArray(value) ? 'array' : 'object', reason: 'depth' };
  if (Array.isArray(value)) return value.map((item) => escapeValue(item, depth + 1));
  const properties = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, escapeValue(item, depth + 1)]),
  );
  return Object.hasOwn(value, '$type') ? { $type: 'object', properties } : properties;
}
