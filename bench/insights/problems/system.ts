import { HOUR_MS, type Project } from '../habits.ts';
import { isLive, type Plant } from '../problem.ts';
import { between } from '../random.ts';
import { hoursAgo } from './latency.ts';

/** Since the newest release, each request leaks memory, which becomes visible about a day later. */
const plantMemory: Plant = (project, random) => {
  const startMs = project.production.at(-1)?.fromMs ?? hoursAgo(project, 72);
  const bytesAnHour = between(random, 8e6, 16e6);
  return {
    truth: {
      kind: 'memoryGrows',
      endpoints: [],
      names: [],
      words: /memory|heap/i,
      startMs,
      toleranceHours: 24,
    },
    change(request) {
      if (isLive(request, startMs)) request.heapBytes += ((request.atMs - startMs) / HOUR_MS) * bytesAnHour;
    },
  };
};

const plantEventLoop: Plant = (project, random) => {
  const startMs = hoursAgo(project, between(random, 10, 60));
  return {
    truth: {
      kind: 'eventLoopLag',
      endpoints: [],
      names: [],
      words: /event.?loop/i,
      startMs,
      toleranceHours: 12,
    },
    change(request, chance) {
      if (!isLive(request, startMs)) return;
      request.eventLoopMs = between(chance, 60, 180);
      request.cpuPercent = between(chance, 85, 100);
      request.ownMs += between(chance, 0, 20);
    },
  };
};

/** Makes responses larger. The trace format has no field for a response's size; only the `content-length` header and the body show it. */
const plantLargerAnswers: Plant = (project: Project, random) => {
  const endpoints = project.endpoints.filter(({ path }) => path === '/search');
  const startMs = hoursAgo(project, between(random, 20, 80));
  return {
    truth: {
      kind: 'responseSize',
      endpoints,
      names: [],
      words: /size|bytes|\b[kM]B\b|larger|bigger|payload/i,
      startMs,
      toleranceHours: 24,
    },
    change(request) {
      const isIt = request.endpoint.path === '/search' && isLive(request, startMs);
      if (isIt) request.bodyItems *= 10;
    },
  };
};

export const SYSTEM: Readonly<Record<string, Plant>> = {
  memoryGrows: plantMemory,
  eventLoopLag: plantEventLoop,
  responseSize: plantLargerAnswers,
};
