/** Habits of real services that look like problems, but are harmless: every finding about a project with such a habit is a false alarm. */
import { DAY_MS, findRelease, HOUR_MS, type Project } from './habits.ts';
import { drawParts, QUOTING } from './messages.ts';
import { type Change, isLive } from './problem.ts';
import { hoursAgo, pickBusy, slow } from './problems/latency.ts';
import { between, pick, type Random } from './random.ts';
import { readRhythm } from './requests.ts';

export type Harmless = (project: Project, random: Random) => Change;

/**
 * Load tests run in staging, on small machines: staging gets more requests than production, and its requests take three to five times as
 * long. The newest release is only in staging.
 */
const loadTests: Harmless = (project, random) => {
  const { production, staging, requestsPerDay, untilMs } = project;
  const { fromMs } = findRelease(production, untilMs);
  // Once a release is in production, the next release is tested.
  const next = { name: `2.${production.length}.0`, fromMs: fromMs + between(random, 2, 12) * HOUR_MS };
  return {
    habits: {
      staging: [...staging.slice(0, -1), next],
      stagingPerDay: requestsPerDay * between(random, 1.2, 2),
      stagingSlowness: between(random, 3, 5),
    },
  };
};

/**
 * By day, requests take two to three times as long as at night. The newest release changed nothing, but has run only since noon: all of its
 * requests are daytime requests.
 */
const noonRelease: Harmless = (project) => {
  const sinceNoon = (project.endHour % 24) - 12;
  // If noon is less than four hours ago, the release begins four hours ago, so that it has enough requests for a comparison.
  const fromMs = project.untilMs - Math.max(sinceNoon, 4) * HOUR_MS;
  const newest = { name: `2.${project.production.length}.0`, fromMs };
  const next = { name: `2.${project.production.length + 1}.0`, fromMs: hoursAgo(project, 2) };
  return {
    habits: {
      production: [...project.production, newest],
      staging: [...project.staging.slice(0, -1), { ...newest, fromMs: fromMs - DAY_MS }, next],
    },
    change(request) {
      // The duration of a long poll does not depend on the load.
      if (request.endpoint.ownMs > 10_000 || request.environment !== 'production') return;
      slow(request, 0.5 + 0.5 * 24 * readRhythm(project, request.atMs));
    },
  };
};

/** An error that has always occurred. Its messages contain other names and other quoted words every day. */
const newWordsDaily: Harmless = (project, random) => {
  const endpoint = pickBusy(project, random);
  const { say } = pick(random, QUOTING);
  return {
    change(request, chance) {
      if (request.endpoint !== endpoint || !isLive(request, 0) || chance() > 0.05) return;
      const day = Math.floor((project.untilMs - request.atMs) / DAY_MS);
      request.failure = { status: 422, message: say(drawParts(chance, day)) };
    },
  };
};

/** All harmless habits, by name. */
export const HARMLESS: Readonly<Record<string, Harmless>> = { loadTests, noonRelease, newWordsDaily };
