import { parse } from 'node:querystring';
import type { CapturedValue } from '@throughline/contract/values';
import { fromJson } from '../trace/tags.ts';

const maxFields = 1000;

/** `a=1&b=2&b=3` as `{a: '1', b: ['2', '3']}`: a query string or a form body, nothing nested, malformed escapes left as they are. */
export function parseForm(text: string): CapturedValue {
  const fields: [string, CapturedValue][] = [];
  for (const [name, value] of Object.entries(parse(text, '&', '=', { maxKeys: maxFields }))) {
    if (value !== undefined) fields.push([name, value]);
  }
  return fromJson(Object.fromEntries(fields));
}
