import { Redactor, type RedactRules } from '@throughline/contract/redaction';
import { LRUCache } from 'lru-cache';

/** A redactor's cache of names takes up to a few MB. */
const MAX_REDACTORS = 200;

/**
 * Returns a function that finds the redactor for a project's own rules, or the built-in redactor if there are none. Projects with equal
 * rules share one redactor, because each redactor caches names.
 */
export function createRedactors(): (rules: RedactRules | undefined) => Redactor {
  const builtIn = new Redactor();
  const byRules = new LRUCache<string, Redactor>({ max: MAX_REDACTORS });
  return (rules) => {
    if (rules === undefined) return builtIn;
    const key = JSON.stringify([rules.keys, rules.paths]);
    const redactor = byRules.get(key) ?? new Redactor(rules);
    byRules.set(key, redactor);
    return redactor;
  };
}
