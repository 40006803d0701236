import { parse } from 'node:querystring';
import type { CapturedValue } from '@throughline/contract/values';
import { escapeTypeKeys } from './escape-type-keys.ts';

const maxFields = 1000;

/**
 * Parses a query string or form body: `a=1&b=2&b=3` becomes `{a: '1', b: ['2', '3']}`. No nesting; malformed escapes are left unchanged.
 */
export function parseForm(text: string): CapturedValue {
  const fields: [string, CapturedValue][] = [];
  for (const [name, value] of Object.entries(parse(text, '&', '=', { maxKeys: maxFields }))) {
    if (value !== undefined) fields.push([name, value]);
  }
  return escapeTypeKeys(Object.fromEntries(fields));
}
