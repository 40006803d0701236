/** Problems that need more of something: more calls per request, or more CPU time. Their author knew the rules that find them. */
import { isLive, type Plant } from '../problem.ts';
import { between } from '../random.ts';
import { hoursAgo } from './latency.ts';

/** A retry loop calls the payment service up to five times per request, although the first call succeeds. */
const plantCallsPerRequest: Plant = (project, random) => {
  const startMs = hoursAgo(project, between(random, 12, 60));
  const has = (to: string) => to === 'payments.example';
  return {
    truth: {
      kind: 'callsPerRequest',
      endpoints: project.endpoints.filter(({ calls }) => calls.some(({ to }) => has(to))),
      names: ['payments.example'],
      words: /calls/i,
      startMs,
      toleranceHours: 12,
    },
    change(request, chance) {
      if (!isLive(request, startMs)) return;
      for (const call of request.calls) if (has(call.habit.to)) call.count = 3 + Math.floor(chance() * 3);
    },
  };
};

/** From some hour on, a busy background task uses CPU time, but is too short to delay the event loop. */
const plantMoreCpu: Plant = (project, random) => {
  const startMs = hoursAgo(project, between(random, 10, 60));
  const added = between(random, 25, 45);
  return {
    truth: {
      kind: 'moreCpu',
      endpoints: [],
      names: [],
      words: /\bcpu\b/i,
      startMs,
      toleranceHours: 12,
    },
    change(request, chance) {
      if (isLive(request, startMs)) request.cpuPercent += added * between(chance, 0.8, 1.2);
    },
  };
};

export const USAGE: Readonly<Record<string, Plant>> = {
  callsPerRequest: plantCallsPerRequest,
  moreCpu: plantMoreCpu,
};
