import { Redactor } from '@throughline/contract/redaction';
import { CaptureRules } from '../record/capture/capture-rules.ts';
import { getRedactRules, type Redaction } from './redaction.ts';

/**
 * Returns the rules that apply when a value is captured. If any rule has a path, no rule applies at capture, because a value's path is
 * known only when the trace is written. A text that must be cut is always redacted before it is cut.
 *
 * Separate from `redaction.ts`, because the public type declarations would otherwise include the recorder's types.
 */
export function buildCaptureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(getRedactRules(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values', redactor);
}
