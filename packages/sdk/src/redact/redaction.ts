import { Redactor, type RedactRules } from '@throughline/contract/redaction';
import { CaptureRules } from '../record/capture-rules.ts';

/** What is hidden: by the built-in rules and those given, or every value, of which then only the type is shown. */
export type Redaction = RedactRules | 'all-values';

/** The rules that names and texts are judged by. */
export function rulesOf(redaction: Redaction): RedactRules {
  return redaction === 'all-values' ? {} : redaction;
}

/** What is hidden of values as they are taken. Rules with paths wait until the trace is written: where a value stands is known then. */
export function captureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(rulesOf(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values');
}
