import type { CapturedValue } from '@throughline/contract/values';
import type { FunctionSite } from '../record/types.ts';

/** Further names are only counted. */
const listed = 10;

/** Describes the functions that were recorded in part, or not at all, to keep the CPU budget; undefined if there are none. */
export function describeLowered(
  lowered: ReadonlyMap<FunctionSite, 'structure' | 'off'>,
): CapturedValue | undefined {
  if (lowered.size === 0) return undefined;
  const named = (wanted: 'structure' | 'off') =>
    [...lowered].filter(([, level]) => level === wanted).map(([site]) => formatSite(site));
  const [withoutValues, left] = [named('structure'), named('off')];
  return {
    ...(withoutValues.length > 0 && { withoutValues: cut(withoutValues) }),
    ...(left.length > 0 && { notRecorded: cut(left) }),
  };
}

function formatSite({ name, file, line }: FunctionSite): string {
  return `${name} (${file}:${line})`;
}

function cut(names: readonly string[]): readonly string[] {
  return names.length <= listed ? names : [...names.slice(0, listed), `and ${names.length - listed} more`];
}
