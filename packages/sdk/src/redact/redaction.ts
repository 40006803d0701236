import { Redactor, type RedactRules } from '@throughline/contract/redaction';
import { CaptureRules } from '../record/capture/capture-rules.ts';

/** Additional redaction rules, or `all-values`: only the type of each value is shown. */
export type Redaction = RedactRules | 'all-values';

/** Returns the rules for names and strings. */
export function getRedactRules(redaction: Redaction): RedactRules {
  return redaction === 'all-values' ? {} : redaction;
}

/**
 * Returns the rules that apply when a value is captured. If any rule has a path, all rules apply only when the trace is written, because a
 * value's path is not known earlier.
 */
export function buildCaptureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(getRedactRules(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values');
}
