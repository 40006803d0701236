import type { CapturedValue } from '@throughline/contract';
import { HiddenTexts, type Redactor } from '@throughline/contract/redaction';
import type { Case, Place } from './case.ts';

/**
 * Redacts a case as the server does: by the rules first, and then by removing all other occurrences of the secrets that the rules found.
 * Returns the result as JSON.
 */
export function findReadable({ place }: Case, redactor: Redactor): string {
  const found = new Set<string>();
  const redact = () => redactPlace(place, redactor);
  const once = redactor.collectSecrets(found, redact);
  return JSON.stringify(found.size === 0 ? once : redactor.hideSecrets(new HiddenTexts(found), redact));
}

function redactPlace(place: Place, redactor: Redactor): unknown {
  switch (place.in) {
    case 'query': {
      const raw = place.value.includes('%') ? place.value : encodeURIComponent(place.value);
      return [
        redactor.text(`https://shop.example/things?${place.name}=${raw}&page=1`),
        redactor.value({ [place.name]: decodeURIComponent(raw) }),
      ];
    }
    case 'header':
      return redactor.fields({ host: 'shop.example', [place.name]: place.value });
    case 'cookie':
      return redactor.fields({ cookie: `a=1; ${place.name}=${place.value}; b=2` });
    case 'path':
      return redactor.text(place.path);
    case 'body':
      return redactor.value(place.type === 'application/json' ? JSON.parse(place.text) : place.text);
    case 'argument':
      return redactor.fields({ value: capture(place.value) });
    case 'statement':
      return redactor.value({ text: place.text, params: capture(place.params) });
    default:
      return redactor.text(place.text);
  }
}

/** Converts a value to a captured value, similar to the captured values of the SDK. */
function capture(value: unknown): CapturedValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(capture);
  if (value instanceof Uint8Array)
    return { $type: 'Buffer', size: value.length, base64: Buffer.from(value).toString('base64') };
  if (value instanceof Map)
    return {
      $type: 'Map',
      size: value.size,
      entries: [...value].map(([key, item]) => [capture(key), capture(item)]),
    };
  if (value instanceof Set) return { $type: 'Set', size: value.size, values: [...value].map(capture) };
  if (value instanceof URL || value instanceof URLSearchParams) return String(value);
  if (value instanceof Headers || value instanceof FormData)
    return Object.fromEntries([...value].map(([name, item]) => [name, String(item)]));
  return Object.fromEntries(
    [
      ...Object.entries(value),
      ...Object.getOwnPropertySymbols(value).map((name) => [String(name), Reflect.get(value, name)]),
    ].map(([name, item]) => [name, capture(item)]),
  );
}

/** True if a text contains the value of a case: unchanged, in the form that JSON or a URL requires, or with its URL escapes decoded. */
export function shows(text: string, { value }: Case): boolean {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), decode(value)].some((form) =>
    form.length < 10
      ? new RegExp(`(?<![\\w.])${form.replaceAll(/[^\w\s]/g, '\\$&')}(?!\\w)`).test(text)
      : text.includes(form),
  );
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
