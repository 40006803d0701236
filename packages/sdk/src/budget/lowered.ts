import type { CapturedValue } from '@throughline/contract/values';
import type { FunctionSite } from '../record/types.ts';

/** Maximum number of listed names. Further names are only counted. */
const listed = 10;

const messages = 'headers and bodies';

/**
 * Describes what was recorded in part, or not at all, to keep the CPU budget: functions, and the request's and response's headers and
 * bodies. Undefined if nothing was left out.
 */
export function describeLowered(
  lowered: ReadonlyMap<FunctionSite, 'structure' | 'off'>,
  withMessages = true,
): CapturedValue | undefined {
  if (lowered.size === 0) return withMessages ? undefined : { withoutValues: [messages] };
  const named = (wanted: 'structure' | 'off') =>
    [...lowered].filter(([, level]) => level === wanted).map(([site]) => formatSite(site));
  const left = named('off');
  const withoutValues = withMessages ? named('structure') : [messages, ...named('structure')];
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
