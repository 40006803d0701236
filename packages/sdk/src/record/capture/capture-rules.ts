import type { Redactor } from '@throughline/contract/redaction';
import { CapturedNames } from './capture-names.ts';
import { RepeatedTexts } from './repeated-texts.ts';

/** The redaction rules that apply while values are captured. All recordings use the same rules. */
export class CaptureRules {
  /** Null if nothing is redacted during capture. */
  readonly redactor: Redactor | null;
  /** True if only the type of each value is shown. */
  readonly hidesAll: boolean;
  readonly names: CapturedNames;
  readonly repeated: RepeatedTexts;

  constructor(redactor: Redactor | null, hidesAll = false) {
    this.redactor = redactor;
    this.hidesAll = hidesAll;
    this.names = new CapturedNames(redactor);
    this.repeated = new RepeatedTexts(hidesAll ? null : redactor);
  }
}
