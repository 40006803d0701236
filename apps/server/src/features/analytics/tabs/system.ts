import { type AnalyticsRange, formatInstant, type SystemAnalytics } from '@throughline/contract';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { buildPreviousParts, buildSystemFigures, compareByRequests, groupByPart } from './stats.ts';

export async function readSystem(
  { rollups }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<SystemAnalytics> {
  const { project, reading, previous } = scope;
  const sets = [[], ['part'], ['service']] as const;
  const [[[total] = [], ofParts = [], services = []], [[before] = [], partsBefore = []] = []] =
    await Promise.all([
      rollups.systemSets(project, reading, sets),
      previous && rollups.systemSets(project, previous, [[], ['part']]),
    ]);
  const [parts, earlierParts] = [groupByPart(ofParts), groupByPart(partsBefore)];
  return {
    range,
    metrics: buildSystemFigures(total),
    previous: previous === undefined ? null : buildSystemFigures(before),
    timeSeries: reading.parts.map((part) => ({
      time: formatInstant(part),
      ...buildSystemFigures(parts.get(part)),
    })),
    previousTimeSeries: buildPreviousParts(scope, (part) => ({
      time: formatInstant(part),
      ...buildSystemFigures(earlierParts.get(part)),
    })),
    services: services
      .sort(compareByRequests(({ service = '' }) => service))
      .map((figures) => ({ service: figures.service ?? '', ...buildSystemFigures(figures) })),
  };
}
