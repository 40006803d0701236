import type { CapturedValue } from '@throughline/contract/values';
import type { FunctionSite } from '../record/types.ts';

/** Maximum number of names in each list. Further names are only counted. */
const listed = 10;

const messages = 'headers and bodies';

/**
 * Describes what was left out to stay within the CPU budget: functions recorded in part or not at all, and the headers and bodies of
 * request and response. Returns undefined if nothing was left out.
 */
export function describeLowered(
  lowered: ReadonlyMap<FunctionSite, 'structure' | 'off'>,
  withMessages = true,
): CapturedValue | undefined {
  if (lowered.size === 0) return withMessages ? undefined : { withoutValues: [messages] };
  const withoutValues = new NameList();
  const notRecorded = new NameList();
  if (!withMessages) withoutValues.add(() => messages);
  for (const [site, level] of lowered)
    (level === 'off' ? notRecorded : withoutValues).add(() => formatSite(site));
  return {
    ...(withoutValues.count > 0 && { withoutValues: withoutValues.shown }),
    ...(notRecorded.count > 0 && { notRecorded: notRecorded.shown }),
  };
}

/** The first names of a list, and the number of all its names. Names that are not shown are not formatted. */
class NameList {
  count = 0;
  readonly #first: string[] = [];

  add(format: () => string): void {
    if (this.count++ < listed) this.#first.push(format());
  }

  get shown(): readonly string[] {
    const more = this.count - this.#first.length;
    return more === 0 ? this.#first : [...this.#first, `and ${more} more`];
  }
}

/** Each function's text is built once, because every trace lists the same functions. */
const texts = new WeakMap<FunctionSite, string>();

/** Formats a function as `readToken in users.js, line 3`. The redaction would take `readToken (users.js:3)` for a token and its value. */
function formatSite(site: FunctionSite): string {
  const known = texts.get(site);
  if (known !== undefined) return known;
  const text = `${site.name} in ${site.file}, line ${site.line}`;
  texts.set(site, text);
  return text;
}
