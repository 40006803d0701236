import { Redactor, type RedactRules } from '@throughline/contract/redaction';

/** A redactor holds up to a few MB of names that it met. */
const MAX_REDACTORS = 200;

/** The redactor for a project's own rules, undefined for none. They are kept, since each remembers the names that it met; equal rules share one. */
export function createRedactors(): (rules: RedactRules | undefined) => Redactor {
  const builtIn = new Redactor();
  const byRules = new Map<string, Redactor>();
  return (rules) => {
    if (rules === undefined) return builtIn;
    const key = JSON.stringify([rules.keys, rules.paths]);
    const redactor = byRules.get(key) ?? new Redactor(rules);
    // The one that was used last goes last.
    byRules.delete(key);
    byRules.set(key, redactor);
    const [oldest] = byRules.keys();
    if (byRules.size > MAX_REDACTORS && oldest !== undefined) byRules.delete(oldest);
    return redactor;
  };
}
