import type { TraceRow } from '@throughline/contract';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { Rollups } from '../rollups/index.ts';
import type { AnsweredHosts } from './answered-hosts-store.ts';
import type { Scope } from './scope.ts';

/** The stores and rollups from which stats are computed. */
export interface Sources {
  readonly store: TraceStore;
  readonly rollups: Pick<
    Rollups,
    'requests' | 'requestSets' | 'systemSets' | 'users' | 'steps' | 'callers' | 'state'
  >;
  readonly now: () => Date;
  /** Finds the hosts at which traced services respond. For a project with many calls, the result can be up to ten minutes old. */
  readonly answeredHosts: (scope: Scope) => Promise<AnsweredHosts>;
  /** Lists the newest or the slowest traces of a scope. */
  readonly listed: (scope: Scope, sort: 'time' | 'duration', limit: number) => Promise<TraceRow[]>;
}
