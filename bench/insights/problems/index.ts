import type { Plant } from '../problem.ts';
import { DEPENDENCIES } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import { ERRORS_OF_ONE_PART } from './errors-of-one-part.ts';
import { LATENCY } from './latency.ts';
import { MESSAGES_THAT_DIFFER } from './messages.ts';
import { MIDDLE } from './middle.ts';
import { RELEASES } from './releases.ts';
import { SYSTEM } from './system.ts';
import { TRAFFIC_CHANGES } from './traffic.ts';
import { USAGE } from './usage.ts';

/** All kinds of problems, by name. */
export const PROBLEMS: Readonly<Record<string, Plant>> = {
  ...LATENCY,
  ...ERRORS,
  ...TRAFFIC_CHANGES,
  ...DEPENDENCIES,
  ...SYSTEM,
  ...RELEASES,
  // New kinds come last, because the seed of a project depends on the position of its kind.
  ...USAGE,
  ...MIDDLE,
  ...MESSAGES_THAT_DIFFER,
  ...ERRORS_OF_ONE_PART,
};
