import { type Plant, TRAFFIC } from '../problem.ts';
import { between } from '../random.ts';
import { hoursAgo, pickBusy } from './latency.ts';

function changeTraffic(kind: string, when: readonly [number, number], factor: number): Plant {
  return (project, random) => {
    const endpoint = pickBusy(project, random);
    const startMs = hoursAgo(project, Math.round(between(random, ...when)));
    return {
      truth: { kind, endpoints: [endpoint], names: [], words: TRAFFIC, startMs, toleranceHours: 12 },
      rate: (of, atMs) => (of === endpoint && atMs >= startMs ? factor : 1),
    };
  };
}

export const TRAFFIC_CHANGES: Readonly<Record<string, Plant>> = {
  // At least 14 hours without traffic, which is longer than an ordinary night.
  trafficStops: changeTraffic('trafficStops', [14, 24], 0),
  trafficDrops: changeTraffic('trafficDrops', [24, 60], 0.25),
  trafficSpikes: changeTraffic('trafficSpikes', [6, 14], 6),
};
