/** Generates the requests of a project in a form that a planted problem can change. Afterwards they are converted to traces. */
import {
  DAY_MS,
  DAYS,
  type EndpointHabit,
  findRelease,
  HOUR_MS,
  type Project,
  toLocalHour,
} from './habits.ts';
import type { Change } from './problem.ts';
import { between, drawLogNormal, drawPoisson, forkRandom, pick, type Random } from './random.ts';
import type { Request } from './request.ts';

/** Traffic in each hour of the day, starting at midnight, in percent of the busiest hour. */
const RHYTHM = [14, 9, 6, 5, 6, 9, 18, 32, 48, 62, 72, 80, 86, 82, 72, 68, 70, 76, 88, 100, 98, 84, 56, 30];
const RHYTHM_SUM = RHYTHM.reduce((sum, share) => sum + share, 0);
const WEEKEND = 0.65;
const OFFICE_HOURS = 10;
/** Maximum time of an endpoint's own code: a long poll ends after half a minute. */
const MAX_MS = 30_000;

/** Generates all requests of the fourteen days, sorted by time. */
export function generateRequests(habits: Project, change?: Change): Request[] {
  const project = { ...habits, ...change?.habits };
  const planted = forkRandom(project.seed, 'planted');
  const requests: Request[] = [];
  const weights = project.endpoints.reduce((sum, { weight }) => sum + weight, 0);
  for (let hour = DAYS * 24; hour > 0; hour -= 1) {
    const fromMs = project.untilMs - hour * HOUR_MS;
    const busy = between(forkRandom(project.seed, `busy ${hour}`), 0.88, 1.12);
    for (const endpoint of project.endpoints) {
      // Each hour of each endpoint has its own random sequence, so that a planted problem changes no other hours or endpoints.
      const random = forkRandom(project.seed, `${hour} ${endpoint.path}`);
      const share = endpoint.weight / weights;
      const usual = project.requestsPerDay * share * readRhythm(project, fromMs, endpoint.onlyHour) * busy;
      const factor = change?.rate?.(endpoint, fromMs + HOUR_MS / 2) ?? 1;
      // If `factor` is below 1, some of the usual requests are left out. If `factor` is above 1, further requests are added.
      const count = drawPoisson(random, usual);
      const asked = count * Math.min(1, factor) + Math.max(0, factor - 1) * usual;
      const kept = factor === 1 ? count : Math.round(asked + planted() - 0.5);
      for (let index = 0; index < kept; index += 1) {
        requests.push(
          drawRequest(
            project,
            { random: index < count ? random : planted, endpoint, fromMs, environment: 'production' },
            requests.length,
          ),
        );
      }
      const tests = drawPoisson(random, project.stagingPerDay * share * readOffice(project, fromMs));
      for (let index = 0; index < tests; index += 1)
        requests.push(
          drawRequest(project, { random, endpoint, fromMs, environment: 'staging' }, requests.length),
        );
    }
  }
  if (change?.change !== undefined) for (const request of requests) change.change(request, planted);
  return requests.sort((a, b) => a.atMs - b.atMs);
}

/** Returns the share of an average day's requests that are sent in the hour of `atMs`. */
export function readRhythm(project: Project, atMs: number, onlyHour?: number): number {
  const local = toLocalHour(project, atMs);
  const hour = Math.floor(local % 24);
  if (onlyHour !== undefined) return hour === onlyHour ? 1 : 0;
  return ((RHYTHM[hour] ?? 0) / RHYTHM_SUM) * (local >= 120 ? WEEKEND : 1.1);
}

/**
 * Returns the share of a day's requests to staging that are sent in the hour of `atMs`. Staging is used only in office hours, Monday to
 * Friday.
 */
function readOffice(project: Project, atMs: number): number {
  const local = toLocalHour(project, atMs);
  return local < 120 && local % 24 >= 9 && local % 24 < 9 + OFFICE_HOURS ? 1 / OFFICE_HOURS : 0;
}

interface Draw {
  readonly random: Random;
  readonly endpoint: EndpointHabit;
  readonly fromMs: number;
  readonly environment: 'production' | 'staging';
}

function drawRequest(
  project: Project,
  { random, endpoint, fromMs, environment }: Draw,
  number: number,
): Request {
  const isStaging = environment === 'staging';
  const atMs = Math.floor(fromMs + random() * HOUR_MS);
  const release = findRelease(isStaging ? project.staging : project.production, atMs);
  const user = pick(random, isStaging ? project.users.slice(0, 3) : project.users);
  const load = readRhythm(project, atMs) * 24;
  // Requests are slightly slower if the load is high, as in the evening.
  const slowness = (0.92 + 0.08 * load) * (isStaging ? project.stagingSlowness : 1);
  const hit = endpoint.hitRate === undefined ? null : random() < endpoint.hitRate;
  const failure = drawFailure(project, endpoint, random);
  return {
    atMs,
    endpoint,
    environment,
    release: release.name,
    instance: isStaging ? 'staging-1' : pick(random, project.instances),
    country: user.country,
    tenant: user.tenant,
    userId: random() < 0.85 ? user.id : null,
    number,
    ownMs: Math.min(MAX_MS, endpoint.ownMs * drawLogNormal(random, endpoint.sigma)) * slowness,
    hit,
    calls: endpoint.calls.map((habit) => ({
      habit,
      ms: habit.medianMs * drawLogNormal(random, 0.35) * slowness,
      count: 1,
      beside: habit.beside === true,
      error: null,
    })),
    failure,
    bodyItems: Math.max(1, Math.round(endpoint.bodyItems * drawLogNormal(random, 0.2))),
    // Heap usage grows a little until the service next starts.
    heapBytes: 7e7 + 2e7 * random() + Math.min(2e7, ((atMs - release.fromMs) / DAY_MS) * 4e6),
    cpuPercent: 4 + 14 * load * drawLogNormal(random, 0.3),
    eventLoopMs: 1.5 * drawLogNormal(random, 0.5),
  };
}

function drawFailure(project: Project, endpoint: EndpointHabit, random: Random): Request['failure'] {
  let left = random();
  for (const error of project.errors) {
    if (error.endpoint !== endpoint) continue;
    left -= error.rate;
    if (left < 0) return { status: error.status, message: error.say(random) };
  }
  return null;
}
