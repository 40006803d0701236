import type { TraceRow } from '@throughline/contract';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { Rollups } from '../rollups/index.ts';
import type { Scope } from './scope.ts';

/** The stores and rollups from which figures are computed. */
export interface Sources {
  readonly store: TraceStore;
  readonly rollups: Pick<
    Rollups,
    'requests' | 'requestSets' | 'systemSets' | 'users' | 'steps' | 'callers' | 'state'
  >;
  readonly now: () => Date;
  /** Lists the newest or the slowest traces of a scope. */
  readonly listed: (scope: Scope, sort: 'time' | 'duration', limit: number) => Promise<TraceRow[]>;
}
