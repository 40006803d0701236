import type { RedactRules } from '@throughline/contract/redaction';

/** The built-in rules plus those given, or every value, which is then shown as its type only. */
export type Redaction = RedactRules | 'all-values';

/** The rules that names and texts are judged by. */
export function getRedactRules(redaction: Redaction): RedactRules {
  return redaction === 'all-values' ? {} : redaction;
}
