import { setTimeout as wait } from 'node:timers/promises';

const sites = {
  'elm-court': { name: 'Elm Court, rear garden', zone: 'residential', offset: 0 },
  'quay-9': { name: 'Quay 9 container yard', zone: 'industrial', offset: -2 },
  'ring-road': { name: 'Ring road, km 4', zone: 'mixed', offset: 0 },
  'tunnel-east': { name: 'Tunnel portal east', zone: 'industrial', offset: 1 },
};

const samples = {
  'elm-court/2025-05-12': [41, 44, 39, 52, 47, 43, 58, 40, 45, 49],
  'elm-court/2025-05-13': [40, 42, 38, 47, 61, 55, 44, 41, 43, 50],
  'quay-9/2025-05-12': [71, 78, 83, 80, 76, 69, 88, 74, 79, 72],
  'quay-9/2025-05-13': [70, 77, 81, 90, 84, 73, 75, 79, 72, 68],
  'ring-road/2025-05-12': [63, 66, 70, 68, 64, 72, 61, 65, 69, 67],
  'ring-road/2025-05-13': [62, 64, 71, 73, 66, 60, 67, 65, 68, 70],
  'tunnel-east/2025-05-12': [82, 79, 85, 80, 77, 88, 84, 81, 78, 86],
  'tunnel-east/2025-05-13': [84, 80, 101, 88, 79, 106, 83, 109, 86, 81],
};

export class SiteRepository {
  async find(code) {
    await wait(2);
    const site = sites[code];
    if (!site) throw Object.assign(new Error(`no monitor at ${code}`), { statusCode: 404 });
    return { code, ...site };
  }

  async samplesOf(code, day) {
    await wait(4);
    const levels = samples[`${code}/${day}`];
    if (!levels) throw Object.assign(new Error(`no samples of ${day}`), { statusCode: 404 });
    return levels;
  }
}
