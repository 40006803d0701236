import type { RedactRules } from '@throughline/contract/redact-rules';

/** Additional redaction rules, or `all-values`, with which only the type of each value is shown. */
export type Redaction = RedactRules | 'all-values';

/** Returns the rules for names and strings. */
export function getRedactRules(redaction: Redaction): RedactRules {
  return redaction === 'all-values' ? {} : redaction;
}
