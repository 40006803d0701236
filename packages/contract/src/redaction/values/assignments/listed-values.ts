import type { FoundName } from '../../names/find-name.ts';
import { looksSecret } from '../../shapes/plausible.ts';
import type { Part, TextScan } from '../../texts/scan.ts';

const NEXT_ITEM =
  /^(?:,[ \t]{0,2}|\r?\n[ \t]{0,8}(?:(?:\d{1,2}[.)]|[-*•])[ \t]{1,4})?)([\w-]{4,64})(?![\w-]|[ \t]{0,2}[:=(])/;
const MAX_ITEMS = 32;

/** True for the name of several secrets: `backup codes`. */
export function isPlural(text: string, { end }: FoundName): boolean {
  return (text.charCodeAt(end - 1) | 0x20) === 0x73;
}

const FIRST_ITEM =
  /^[ \t]{0,4}\r?\n[ \t]{0,8}(?:(?:\d{1,2}[.)]|[-*•])[ \t]{1,4})?([\w-]{4,64})(?=[ \t]{0,4}(?:[\r\n]|$))/;

/** Finds the first item of a list on the lines below its name. */
export function findFirstItem(text: string, start: number): Part | undefined {
  const [whole = '', item = ''] = FIRST_ITEM.exec(text.slice(start, start + 96)) ?? [];
  if (!isItem(item)) return undefined;
  const end = start + whole.length;
  return { start: end - item.length, end };
}

/** If the value begins an unquoted list, also records the list's other items: `backup codes: X, Y, Z`. */
export function noteList(scan: TextScan, first: Part): void {
  const { text } = scan;
  if ((scan.pending?.length ?? 0) > 0 || !isItem(text.slice(first.start, first.end))) return;
  const parts: Part[] = [];
  let at = first.end;
  while (parts.length < MAX_ITEMS) {
    const [whole = '', item = ''] = NEXT_ITEM.exec(text.slice(at, at + 70)) ?? [];
    if (!isItem(item)) break;
    at += whole.length;
    parts.push({ start: at - item.length, end: at });
  }
  if (parts.length > 0) scan.pending = parts;
}

function isItem(item: string): boolean {
  return looksSecret(item) || /^\d{6,}$/.test(item);
}
