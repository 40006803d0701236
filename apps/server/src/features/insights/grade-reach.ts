import type { Finding } from '@throughline/contract';

type Severity = Finding['severity'];

/** Number of requests, and of their known users. */
export interface Reach {
  readonly requests: number;
  readonly users: number;
}

const SEVERITIES = ['low', 'medium', 'high'] as const satisfies readonly Severity[];
/** Minimum number of users and of requests in the range. With fewer users or requests, the affected share says little. */
const ENOUGH = { users: 10, requests: 100 } as const;
/** From this share of all users or requests on, a finding is more severe. */
const WIDE = 0.2;
/** Below this share of all users and requests, a finding is less severe. */
const NARROW = 0.01;

/** Grades a finding by how many of the range's users and requests it affects. `severity` grades how much the metric changed. */
export function gradeReach(severity: Severity, affected: Reach, all: Reach): Severity {
  const shares = (['users', 'requests'] as const).flatMap((name) =>
    all[name] < ENOUGH[name] ? [] : [affected[name] / all[name]],
  );
  if (shares.length === 0) return severity;
  const share = Math.max(...shares);
  const step = share >= WIDE ? 1 : share < NARROW ? -1 : 0;
  const place = SEVERITIES.indexOf(severity) + step;
  return SEVERITIES[Math.min(SEVERITIES.length - 1, Math.max(0, place))] ?? severity;
}
