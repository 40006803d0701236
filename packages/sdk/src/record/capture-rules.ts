import type { Redactor } from '@throughline/contract/redaction';
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
