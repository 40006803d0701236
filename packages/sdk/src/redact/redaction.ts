import type { RedactRules } from '@throughline/contract/redaction';

/** Additional rules, or `all-values`, which shows each value only as its type. */
export type Redaction = RedactRules | 'all-values';

/** Returns the rules for names and strings. */
export function getRedactRules(redaction: Redaction): RedactRules {
  return redaction === 'all-values' ? {} : redaction;
}
