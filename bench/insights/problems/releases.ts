import { findRelease, HOUR_MS, type Project } from '../habits.ts';
import { isLive, type Plant, SLOWER } from '../problem.ts';
import { between } from '../random.ts';
import { pickBusy, slow } from './latency.ts';

/** Hours since the next release was deployed to staging. In this time, staging gets more requests than some endpoints get in production. */
const NEXT_HOURS = 40;

/** The newest release in production is slow in every environment. The next release is fast, and already runs in staging. */
const plantHidden: Plant = (project, random) => {
  const endpoint = pickBusy(project, random);
  const { fromMs, name } = findRelease(project.production, project.untilMs);
  const next = { name: `2.${project.production.length}.0`, fromMs: project.untilMs - NEXT_HOURS * HOUR_MS };
  return {
    truth: {
      kind: 'hiddenByStaging',
      endpoints: [endpoint],
      names: [],
      words: SLOWER,
      startMs: fromMs,
      toleranceHours: 12,
    },
    habits: { production: project.production, staging: [...project.staging.slice(0, -1), next] },
    change(request) {
      if (request.endpoint === endpoint && request.release === name) slow(request, 1.8);
    },
  };
};

/** A release was slow for a day and was then rolled back: the previous release runs again, under its old name. */
const plantRolledBack: Plant = (project, random) => {
  const endpoint = pickBusy(project, random);
  const { production, backMs, fromMs } = rollBack(project, between(random, 18, 30));
  return {
    truth: {
      kind: 'rolledBack',
      endpoints: [endpoint],
      names: [],
      words: SLOWER,
      startMs: fromMs,
      toleranceHours: 12,
    },
    habits: { production, staging: project.staging },
    change(request) {
      const isIt = request.endpoint === endpoint && isLive(request, fromMs);
      if (isIt && request.atMs < backMs) slow(request, 3);
    },
  };
};

function rollBack(project: Project, hours: number) {
  const before = project.production.at(-2);
  const bad = project.production.at(-1);
  if (before === undefined || bad === undefined) throw new Error('a project has two releases');
  const backMs = bad.fromMs + hours * HOUR_MS;
  return {
    production: [...project.production, { name: before.name, fromMs: backMs }],
    backMs,
    fromMs: bad.fromMs,
  };
}

export const RELEASES: Readonly<Record<string, Plant>> = {
  hiddenByStaging: plantHidden,
  rolledBack: plantRolledBack,
};
