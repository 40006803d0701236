import type { CapturedValue } from '@throughline/contract/values';
import type { FunctionSite } from '../record/types.ts';

/** Maximum number of functions that are listed by name. Further functions are only counted. */
const listed = 10;

const messages = 'headers and bodies';

/**
 * Describes what was left out to keep the CPU budget: functions recorded in part or not at all, and the headers and bodies of request and
 * response. Returns undefined if nothing was left out.
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

/** Each function's text is built once, because every trace lists the same functions. */
const texts = new WeakMap<FunctionSite, string>();

/** Formats a function with its position. The format `readToken (users.js:3)` would look like a token and its value to the redaction. */
function formatSite(site: FunctionSite): string {
  const known = texts.get(site);
  if (known !== undefined) return known;
  const text = `${site.name} in ${site.file}, line ${site.line}`;
  texts.set(site, text);
  return text;
}

function cut(names: readonly string[]): readonly string[] {
  return names.length <= listed ? names : [...names.slice(0, listed), `and ${names.length - listed} more`];
}
