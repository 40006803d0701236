import { type AnalyticsRange, microsToInstant, type SystemAnalytics } from '@throughline/contract';
import { byPart, byRequests, systemFigures } from './figures.ts';
import type { Scope } from './scope.ts';
import type { Sources } from './sources.ts';

export async function system(
  { rollups }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<SystemAnalytics> {
  const { project, reading, previous } = scope;
  const [total] = await rollups.requests(project, reading, []);
  const parts = byPart(await rollups.requests(project, reading, ['part']));
  const services = await rollups.requests(project, reading, ['service']);
  const [before] = previous === undefined ? [] : await rollups.requests(project, previous, []);
  return {
    range,
    metrics: systemFigures(total),
    previous: previous === undefined ? null : systemFigures(before),
    timeSeries: reading.parts.map((part) => ({
      time: microsToInstant(part),
      ...systemFigures(parts.get(part)),
    })),
    services: services
      .sort(byRequests(({ service = '' }) => service))
      .map((figures) => ({ service: figures.service ?? '', ...systemFigures(figures) })),
  };
}
