import { type AnalyticsRange, formatInstant, type SystemAnalytics } from '@throughline/contract';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { byPart, byRequests, systemFigures } from './stats.ts';

export async function system(
  { rollups }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<SystemAnalytics> {
  const { project, reading, previous } = scope;
  const sets = [[], ['part'], ['service']] as const;
  const [[[total] = [], ofParts = [], services = []], [[before] = []] = []] = await Promise.all([
    rollups.systemSets(project, reading, sets),
    previous && rollups.systemSets(project, previous, [[]]),
  ]);
  const parts = byPart(ofParts);
  return {
    range,
    metrics: systemFigures(total),
    previous: previous === undefined ? null : systemFigures(before),
    timeSeries: reading.parts.map((part) => ({
      time: formatInstant(part),
      ...systemFigures(parts.get(part)),
    })),
    services: services
      .sort(byRequests(({ service = '' }) => service))
      .map((figures) => ({ service: figures.service ?? '', ...systemFigures(figures) })),
  };
}
