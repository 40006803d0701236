import { Redactor } from '@throughline/contract/redaction';
import { CaptureRules } from '../record/capture/capture-rules.ts';
import { getRedactRules, type Redaction } from './redaction.ts';

/**
 * Returns the rules applied when a value is captured. Rules with paths apply when the trace is written, since a value's path is not known
 * earlier.
 */
export function captureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(getRedactRules(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values');
}
