import { findRelease, HOUR_MS, type Project } from '../habits.ts';
import { isLive, type Plant, SLOWER } from '../problem.ts';
import { between, pick, type Random } from '../random.ts';
import type { Request } from '../request.ts';

/** Picks an endpoint with enough requests for users to notice the problem, and with some work of its own. */
export function pickBusy(project: Project, random: Random) {
  return pick(
    random,
    project.endpoints.filter(({ weight, ownMs }) => weight >= 12 && ownMs < 1000),
  );
}

/** Multiplies all durations of a request. */
export function slow(request: Request, factor: number): void {
  request.ownMs *= factor;
  for (const call of request.calls) call.ms *= factor;
}

export const hoursAgo = ({ untilMs }: Project, hours: number) => untilMs - hours * HOUR_MS;

/** Builds a kind of problem: from some hour on, some of the production requests to one endpoint are slow. */
function slowPart(
  kind: string,
  when: readonly [number, number],
  factor: number,
  part: (
    project: Project,
    random: Random,
  ) => { readonly names: readonly string[]; readonly has: (request: Request) => boolean },
): Plant {
  return (project, random) => {
    const endpoint = pickBusy(project, random);
    const startMs = hoursAgo(project, between(random, ...when));
    const { names, has } = part(project, random);
    return {
      truth: {
        kind,
        endpoints: [endpoint],
        names,
        words: SLOWER,
        startMs,
        toleranceHours: when[1] > 12 ? 24 : 6,
      },
      change(request) {
        const isIt = request.endpoint === endpoint && isLive(request, startMs);
        if (isIt && has(request)) slow(request, factor);
      },
    };
  };
}

const plantLongerTail: Plant = (project, random) => {
  const endpoint = pickBusy(project, random);
  const startMs = hoursAgo(project, between(random, 48, 96));
  return {
    truth: {
      kind: 'longerTail',
      endpoints: [endpoint],
      names: [],
      words: SLOWER,
      startMs,
      toleranceHours: 24,
    },
    change(request, chance) {
      const isIt = request.endpoint === endpoint && isLive(request, startMs);
      if (isIt && chance() < 0.03) request.ownMs += between(chance, 4500, 5500);
    },
  };
};

const plantSlowRelease: Plant = (project, random) => {
  const endpoint = pickBusy(project, random);
  // In half of the projects, another release follows the release that caused the problem. The later release is still slow, but did not
  // cause the problem.
  const isBeforeNewest = random() < 0.5 && hoursAgo(project, 130) < (project.production.at(-2)?.fromMs ?? 0);
  const release =
    project.production.at(isBeforeNewest ? -2 : -1) ?? findRelease(project.production, project.untilMs);
  return {
    truth: {
      kind: 'slowerSinceRelease',
      endpoints: [endpoint],
      names: [],
      words: SLOWER,
      startMs: release.fromMs,
      toleranceHours: 12,
    },
    change(request) {
      const isIt = request.endpoint === endpoint && isLive(request, release.fromMs);
      if (isIt) slow(request, 2);
    },
  };
};

export const LATENCY: Readonly<Record<string, Plant>> = {
  slowerSinceRelease: plantSlowRelease,
  slowerNow: slowPart('slowerNow', [5, 10], 4, () => ({ names: [], has: () => true })),
  longerTail: plantLongerTail,
  slowCountry: slowPart('slowCountry', [30, 80], 4, ({ countries }, random) => {
    const country = countries[random() < 0.5 ? 1 : 2] ?? '';
    const name = new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country;
    return { names: [country, name], has: (request) => request.country === country };
  }),
  slowInstance: slowPart('slowInstance', [20, 60], 3, ({ instances }, random) => {
    const instance = pick(random, instances);
    return { names: [instance], has: (request) => request.instance === instance };
  }),
};
