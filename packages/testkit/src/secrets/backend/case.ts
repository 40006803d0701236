import { Maker } from './make.ts';

/** The context in which a service receives or uses a value. There is one for each kind of value that the SDK reports. */
export type Place =
  | { readonly in: 'query' | 'header' | 'cookie'; readonly name: string; readonly value: string }
  | { readonly in: 'path'; readonly path: string }
  | { readonly in: 'body'; readonly type: string; readonly text: string }
  /** The argument `value` of a function whose name does not suggest a secret. */
  | { readonly in: 'argument'; readonly value: unknown }
  | { readonly in: 'error' | 'log'; readonly text: string }
  | { readonly in: 'statement'; readonly text: string; readonly params: readonly unknown[] };

export const query = (name: string, value: string): Place => ({ in: 'query', name, value });
export const header = (name: string, value: string): Place => ({ in: 'header', name, value });
export const cookie = (name: string, value: string): Place => ({ in: 'cookie', name, value });
export const path = (text: string): Place => ({ in: 'path', path: text });
export const argument = (value: unknown): Place => ({ in: 'argument', value });
export const error = (text: string): Place => ({ in: 'error', text });
export const log = (text: string): Place => ({ in: 'log', text });
export const statement = (text: string, ...params: unknown[]): Place => ({ in: 'statement', text, params });
export const body = (type: string, text: string): Place => ({ in: 'body', type, text });
export const json = (value: unknown): Place => body('application/json', JSON.stringify(value));
export const form = (text: string): Place => body('application/x-www-form-urlencoded', text);
export const plain = (text: string): Place => body('text/plain', text);
export const multipart = (name: string, text: string): Place =>
  body(
    'multipart/form-data; boundary=xYzZY',
    `--xYzZY\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--xYzZY\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n--xYzZY--\r\n`,
  );

/**
 * A form of a value: its name, a function that generates a value, and a function that puts the value into its context, such as a header.
 */
export type Form = readonly [
  name: string,
  make: (make: Maker) => string,
  at: (value: string, make: Maker) => Place,
];

export interface Case {
  readonly name: string;
  readonly value: string;
  readonly place: Place;
}

/** Builds `count` cases. The forms are used in rotation, so that each form occurs equally often. */
export function buildCases(forms: readonly Form[], count: number, seed: number): Case[] {
  const make = new Maker(seed);
  return Array.from({ length: count }, (_, at) => {
    const form = forms[at % forms.length];
    if (form === undefined) throw new Error('there are no forms');
    const [name, makeValue, write] = form;
    const value = makeValue(make);
    return { name, value, place: write(value, make) };
  });
}
