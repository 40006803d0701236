import { hasSecretName } from '../names/names.ts';
import { isPlaceholder, isStateWord } from '../shapes/plausible.ts';
import type { Part, TextScan } from '../texts/scan.ts';
import { toMatchedPart } from './matched-part.ts';
import { isNameAsValue } from './names-as-values.ts';

/** Commands that store a secret in a service: `gh secret set NAME --body X`, `fly secrets set NAME=X`. */

const SETS = /^[\s:](?:versions\s)?(?:set|put|create|add|update)(?=\s)/i;
const REST = /^[^\r\n;|&]{0,300}/;
const VALUE = String.raw`(?:"([^"\r\n‹]{1,256})"|'([^'\r\n‹]{1,256})'|([^\s"'‹<>-][^\s"'‹<>]{0,255}))`;
/** A value after a flag (`--body X`, `-b X`) or after a name in capitals (`NAME=X`). */
const GIVEN = new RegExp(
  String.raw`(?:\s--(?:body|value|data|text|string|plaintext|secret-(?:string|value))[=\s]|\s-[bv]\s|\s[A-Z_][A-Z0-9_]{1,63}=)${VALUE}(?=[\s"'\`)]|$)`,
  'g',
);
const MAX_COMMAND = 320;

const HERE_STRING = new RegExp(String.raw`^<<<[ \t]{0,2}${VALUE}(?=["'\`);|&]|\s{0,4}(?:$|[\r\n;|&]))`);
const MAX_BEFORE = 160;

/** Finds the input of a command with a secret's name: `vercel env add API_SECRET production <<< "X"`. The first `<` is at `at`. */
export function findHereString({ text }: TextScan, at: number): Part | undefined {
  if (!text.startsWith('<<<', at) || text.charAt(at - 1) === '<') return undefined;
  const line =
    text
      .slice(Math.max(0, at - MAX_BEFORE), at)
      .split(/[\r\n;|&]/)
      .at(-1) ?? '';
  const found = HERE_STRING.exec(text.slice(at, at + MAX_COMMAND));
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  if (found === null || value === undefined || isNameAsValue(value) || !hasSecretName(line)) return undefined;
  return toMatchedPart(at, found, value);
}

/** Finds the values in a command whose word `secret` or `secrets` is from `start` to `end`. */
export function findStoredSecret(scan: TextScan, start: number, end: number): Part | undefined {
  const { text } = scan;
  if (text.charAt(start - 1) !== ' ' || (scan.pending?.length ?? 0) > 0) return undefined;
  const verb = SETS.exec(text.slice(end, end + 24))?.[0];
  if (verb === undefined) return undefined;
  const from = end + verb.length;
  const rest = REST.exec(text.slice(from, from + MAX_COMMAND))?.[0] ?? '';
  const parts: Part[] = [];
  for (const { index, 0: whole, 1: double, 2: single, 3: plain } of rest.matchAll(GIVEN)) {
    const value = double ?? single ?? plain ?? '';
    if (value.length < 3 || isNameAsValue(value) || isPlaceholder(value) || isStateWord(value)) continue;
    const last = from + index + whole.length - (plain === undefined ? 1 : 0);
    parts.push({ start: last - value.length, end: last });
  }
  const [first, ...others] = parts;
  if (others.length > 0) scan.pending = others;
  return first;
}
