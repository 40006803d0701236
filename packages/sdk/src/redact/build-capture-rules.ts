import { Redactor } from '@throughline/contract/redaction';
import { CaptureRules } from '../record/capture/capture-rules.ts';
import { getRedactRules, type Redaction } from './redaction.ts';

/**
 * Returns the rules that apply when a value is captured. If any rule has a path, all rules apply only when the trace is written, because a
 * value's path is not known earlier. Only texts that are cut are redacted before they are cut.
 *
 * Separate from `redaction.ts`, because the declarations of public types would otherwise contain those of the recorder.
 */
export function buildCaptureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(getRedactRules(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values', redactor);
}
