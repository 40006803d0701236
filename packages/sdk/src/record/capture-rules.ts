import { Redactor } from '@throughline/contract/redaction';
import { type Redaction, rulesOf } from '../redact/redaction.ts';
import { CapturedNames } from './capture-names.ts';

/** What is hidden of the values of all recordings, as they are taken. */
export class CaptureRules {
  /** Null: nothing is hidden as it is taken. */
  readonly redactor: Redactor | null;
  /** Of every value only its type is shown. */
  readonly hidesAll: boolean;
  readonly names: CapturedNames;

  constructor(redactor: Redactor | null, hidesAll = false) {
    this.redactor = redactor;
    this.hidesAll = hidesAll;
    this.names = new CapturedNames(redactor);
  }
}

/** By a project's own rules. Those with paths wait until the trace is written: where a value stands is known then. */
export function captureRules(redaction: Redaction): CaptureRules {
  const redactor = new Redactor(rulesOf(redaction));
  return new CaptureRules(redactor.hasPaths ? null : redactor, redaction === 'all-values');
}
