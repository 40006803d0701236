import type { Redactor } from '@throughline/contract/redaction';
import { CapturedNames } from './capture-names.ts';
import { SharedTexts } from './shared-texts.ts';

/** The redaction rules that apply while values are captured, for all recordings. */
export class CaptureRules {
  /** Null: nothing is hidden during capture. */
  readonly redactor: Redactor | null;
  /** True: only the type of each value is shown. */
  readonly hidesAll: boolean;
  readonly names: CapturedNames;
  readonly shared: SharedTexts;

  constructor(redactor: Redactor | null, hidesAll = false) {
    this.redactor = redactor;
    this.hidesAll = hidesAll;
    this.names = new CapturedNames(redactor);
    this.shared = new SharedTexts(hidesAll ? null : redactor);
  }
}
