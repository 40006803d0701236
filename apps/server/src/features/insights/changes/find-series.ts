import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ErrorGrouping } from '../../errors/index.ts';
import { findDependencyHours, type Reading, type Shown } from '../../rollups/index.ts';
import {
  buildCallSeries,
  buildDependencySeries,
  buildErrorSeries,
  buildMeasuredSeries,
} from './cause-series.ts';
import { findCallHours, findErrorHours, findMeasuredHours } from './causes-store.ts';
import { type HourSeries, mergeReleases, type ReleaseSeries } from './hour-series.ts';
import { findHourSeries } from './series-store.ts';

/** Maximum number of rows of dependencies, which is enough for 30 dependencies over 36 days. */
const MAX_DEPENDENCY_HOURS = 30 * 36 * 24;

/** The hourly series of all metrics that can change, and the same series separately for each release. */
export interface AllSeries {
  readonly series: readonly HourSeries[];
  readonly ofReleases: readonly ReleaseSeries[];
}

/** Reads the hourly series of all metrics that can change. */
export async function findAllSeries(
  store: TraceStore,
  project: Shown,
  reading: Reading,
  grouping: ErrorGrouping,
): Promise<AllSeries> {
  const [{ wholes, parts }, errors, calls, dependencies, measured] = await Promise.all([
    findHourSeries(store, project, reading),
    findErrorHours(store, project, reading, grouping),
    findCallHours(store, project, reading),
    findDependencyHours(store, project, reading, MAX_DEPENDENCY_HOURS),
    findMeasuredHours(store, project, reading),
  ]);
  const ofReleases = [
    ...wholes,
    ...buildErrorSeries(errors, wholes),
    ...buildCallSeries(calls),
    ...buildMeasuredSeries(measured),
  ];
  return {
    series: [...mergeReleases(ofReleases), ...parts, ...buildDependencySeries(dependencies, calls)],
    ofReleases,
  };
}
