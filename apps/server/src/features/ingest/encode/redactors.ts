import { Redactor, type RedactRules } from '@throughline/contract/redaction';

/** A redactor's cache of names takes up to a few MB. */
const MAX_REDACTORS = 200;

/**
 * Returns a function that finds the redactor for a project's own rules, or the built-in redactor if there are none. Projects with equal
 * rules share one redactor, because each redactor caches names.
 */
export function createRedactors(): (rules: RedactRules | undefined) => Redactor {
  const builtIn = new Redactor();
  const byRules = new Map<string, Redactor>();
  return (rules) => {
    if (rules === undefined) return builtIn;
    const key = JSON.stringify([rules.keys, rules.paths]);
    const redactor = byRules.get(key) ?? new Redactor(rules);
    // Moves the redactor to the end of the map, so that the least recently used redactor is first.
    byRules.delete(key);
    byRules.set(key, redactor);
    const [oldest] = byRules.keys();
    if (byRules.size > MAX_REDACTORS && oldest !== undefined) byRules.delete(oldest);
    return redactor;
  };
}
