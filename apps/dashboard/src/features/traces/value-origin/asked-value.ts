import type { CapturedValue } from '@throughline/contract';
import { MAX_VALUE_PATH, type ValuePath, ValuePlace } from '@throughline/contract';
import { addKeys, listParts } from '@throughline/contract/captured';
import { z } from 'zod';

/** The value to follow: a position in a step, or in the request itself. */
export interface AskedValue {
  /** Null for a part of the request itself. */
  readonly stepId: string | null;
  readonly place: ValuePlace;
  readonly path: ValuePath;
}

const Written = z.tuple([z.string().nullable(), ValuePlace], z.union([z.string(), z.number()]));

/** Encodes the followed value for the URL. Returns undefined if the value's path is too long for the URL. */
export function writeAsked({ stepId, place, path }: AskedValue): string | undefined {
  const text = JSON.stringify([stepId, place, ...path]);
  return text.length <= MAX_VALUE_PATH ? text : undefined;
}

/** Reads the followed value from the URL. Returns undefined if the URL contains no valid value. */
export function readAsked(text: string | undefined): AskedValue | undefined {
  if (text === undefined) return undefined;
  const read = Written.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const [stepId, place, ...path] = read.data;
  return { stepId, place, path };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Finds the path to a row of a value's tree. The row's key contains the index at each level: `/0/3`, or `$/3` if the whole value has a
 * row, too.
 */
export function findPathOfLine(whole: CapturedValue, key: string): ValuePath | undefined {
  const path: (string | number)[] = [];
  let at = whole;
  for (const index of key.replace(/^\$/, '').split('/').slice(1)) {
    const part = addKeys(listParts(at).children)[Number(index)];
    if (part === undefined) return undefined;
    path.push(part.key);
    at = part.value;
  }
  return path;
}
