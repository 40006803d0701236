import { Redactor } from '@throughline/contract/redaction';
import { CaptureRules } from '../record/capture-rules.ts';
import { getRedactRules, type Redaction } from './redaction.ts';

/** What is hidden of values as they are taken. Rules with paths wait until the trace is written: where a value stands is known then. */
export function captureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(getRedactRules(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values');
}
