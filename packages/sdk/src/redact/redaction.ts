import type { RedactRules } from '@throughline/contract/redaction';

/** What is hidden: by the built-in rules and those given, or every value, of which then only the type is shown. */
export type Redaction = RedactRules | 'all-values';

/** The rules that names and texts are judged by. */
export function getRedactRules(redaction: Redaction): RedactRules {
  return redaction === 'all-values' ? {} : redaction;
}
