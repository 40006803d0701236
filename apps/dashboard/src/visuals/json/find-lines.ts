import type { JsonLines } from './json-lines.ts';

const encoder = new TextEncoder();

/** A character as its lower-case and upper-case UTF-8 bytes. */
type Letter = readonly Uint8Array[];

/** Returns the lines that contain a string, in order and without duplicates. Ignores case. An empty string matches nothing. */
export function findLines(
  { bytes, starts }: Pick<JsonLines, 'bytes' | 'starts'>,
  text: string,
): Uint32Array<ArrayBuffer> {
  const letters: Letter[] = [...text].map(listBothCases);
  const [first] = letters;
  if (first === undefined) return new Uint32Array(0);
  const small = first[0]?.[0] ?? 0;
  const capital = first.at(-1)?.[0] ?? 0;
  const found: number[] = [];
  let line = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if ((byte !== small && byte !== capital) || !matchesAt(bytes, at, letters)) continue;
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= at) line += 1;
    found.push(line);
    at = (starts[line + 1] ?? bytes.length) - 1;
  }
  return Uint32Array.from(found);
}

function listBothCases(character: string): Letter {
  const small = character.toLowerCase();
  const capital = character.toUpperCase();
  return (small === capital ? [small] : [small, capital]).map((letter) => encoder.encode(letter));
}

function matchesAt(bytes: Uint8Array, from: number, letters: readonly Letter[]): boolean {
  let at = from;
  for (const letter of letters) {
    const form = letter.find((each) => startsWith(bytes, at, each));
    if (form === undefined) return false;
    at += form.length;
  }
  return true;
}

function startsWith(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let index = 0; index < part.length; index += 1) if (bytes[at + index] !== part[index]) return false;
  return true;
}
