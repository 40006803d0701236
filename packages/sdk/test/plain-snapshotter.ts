import type { CapturedValue } from '@throughline/contract/values';
import { CaptureRules } from '../src/record/capture/capture-rules.ts';
import type { CaptureLimits } from '../src/record/capture/limits.ts';
import { Snapshotter } from '../src/record/snapshot/snapshot.ts';

/** Captures values and immediately reads them back. */
export interface PlainSnapshotter {
  readonly cutValues: number;
  readonly cutBytes: number;
  readonly stepBytes: number;
  beginStep(spentBytes?: number): void;
  take(value: unknown, path: readonly (string | number)[]): CapturedValue;
}

/** Returns a snapshotter that redacts nothing by default, or that redacts by the given `rules`. */
export function plainSnapshotter(limits: CaptureLimits, rules = new CaptureRules(null)): PlainSnapshotter {
  const snapshotter = new Snapshotter(limits, rules);
  return {
    get cutValues() {
      return snapshotter.cutValues;
    },
    get cutBytes() {
      return snapshotter.cutBytes;
    },
    get stepBytes() {
      return snapshotter.stepBytes;
    },
    beginStep(spentBytes) {
      snapshotter.busy = false;
      snapshotter.beginStep(spentBytes);
    },
    take: (value, path) => snapshotter.takeNow(value, path),
  };
}
