import type { EndpointHabit, Project, Release } from './habits.ts';
import type { Random } from './random.ts';
import type { Request } from './request.ts';

/** The planted problem of a project, with which findings are compared. */
export interface Truth {
  readonly kind: string;
  /** Where it can be seen; none: the whole service. */
  readonly endpoints: readonly Pick<EndpointHabit, 'method' | 'path'>[];
  /** A finding of it says one of these: the error's words, the country, the dependency. None: nothing has to be named. */
  readonly names: readonly string[];
  /** Says enough of where it is in a finding without an endpoint. */
  readonly insteadOfEndpoint?: string;
  /** How its title calls it. */
  readonly words: RegExp;
  readonly startMs: number;
  /** A finding that begins further away is about something else. */
  readonly toleranceHours: number;
}

/** A planted problem: what it does to a project's requests. */
export interface Problem {
  readonly truth: Truth;
  /** The factor of an endpoint's requests. */
  readonly rate?: (endpoint: EndpointHabit, atMs: number) => number;
  /** Changes a request in place. */
  readonly change?: (request: Request, random: Random) => void;
  /** The releases of the project, where the problem needs others. */
  readonly releases?: { readonly production: readonly Release[]; readonly staging: readonly Release[] };
}

/** True for a request of production since a time. */
export function isLive({ environment, atMs }: Request, startMs: number): boolean {
  return environment === 'production' && atMs >= startMs;
}

export type Plant = (project: Project, random: Random) => Problem;

export const SLOWER = /slow|longer|latenc|duration|took|takes|p(50|95|99)\b/i;
export const FAILING = /error|fail|5xx/i;
export const TRAFFIC =
  /traffic|volume|request rate|stopp|dropp|spik|fewer|more requests|no requests|times as many/i;
