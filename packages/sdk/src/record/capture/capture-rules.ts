import type { Redactor } from '@throughline/contract/redaction';
import { CapturedNames } from './capture-names.ts';
import { RepeatedTexts } from './repeated-texts.ts';

/** The redaction rules that apply while values are captured. All recordings use the same rules. */
export class CaptureRules {
  /** Redacts values while they are captured. Null if values are redacted only when the trace is written. */
  readonly redactor: Redactor | null;
  /** Redacts long texts before they are cut. Null only if nothing is redacted at all. */
  readonly shortener: Redactor | null;
  /** True if only the type of each value is shown. */
  readonly hidesAll: boolean;
  readonly names: CapturedNames;
  readonly repeated: RepeatedTexts;

  constructor(redactor: Redactor | null, hidesAll = false, shortener: Redactor | null = redactor) {
    this.redactor = redactor;
    this.shortener = shortener;
    this.hidesAll = hidesAll;
    this.names = new CapturedNames(redactor);
    this.repeated = new RepeatedTexts(hidesAll ? null : redactor);
  }
}
