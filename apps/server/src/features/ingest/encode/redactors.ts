import { Redactor, type RedactRules } from '@throughline/contract/redaction';

/** A redactor caches up to a few MB of names. */
const MAX_REDACTORS = 200;

/**
 * Returns a redactor for a project's own rules, or the built-in one for none. Redactors are cached because each one caches names; equal rules share
 * one.
 */
export function createRedactors(): (rules: RedactRules | undefined) => Redactor {
  const builtIn = new Redactor();
  const byRules = new Map<string, Redactor>();
  return (rules) => {
    if (rules === undefined) return builtIn;
    const key = JSON.stringify([rules.keys, rules.paths]);
    const redactor = byRules.get(key) ?? new Redactor(rules);
    // Moves the redactor to the end, so that the least recently used one is first.
    byRules.delete(key);
    byRules.set(key, redactor);
    const [oldest] = byRules.keys();
    if (byRules.size > MAX_REDACTORS && oldest !== undefined) byRules.delete(oldest);
    return redactor;
  };
}
