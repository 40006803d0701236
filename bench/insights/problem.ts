import type { EndpointHabit, Project } from './habits.ts';
import type { Random } from './random.ts';
import type { Request } from './request.ts';

/** The planted problem of a project, which is compared with the findings. */
export interface Truth {
  readonly kind: string;
  /** The affected endpoints; empty if the whole service is affected. */
  readonly endpoints: readonly Pick<EndpointHabit, 'method' | 'path'>[];
  /**
   * A correct finding contains one of these names: the error's words, the country or the dependency. If the list is empty, no name is
   * required.
   */
  readonly names: readonly string[];
  /** A name so specific that a finding with this name counts even if the finding does not name the endpoint. */
  readonly insteadOfEndpoint?: string;
  /** Matches the kind or the title of a correct finding. */
  readonly words: RegExp;
  /** True if the problem must lead to one finding: a second finding whose kind or title matches `words` is a mistake. */
  readonly onlyOne?: boolean;
  /** Texts that differ from request to request. The title of a correct finding contains none of them. */
  readonly differing?: readonly string[];
  readonly startMs: number;
  /** Maximum number of hours between the problem's start and a finding's start. A finding beyond that is about something else. */
  readonly toleranceHours: number;
}

/** A change of a project's requests. It belongs to a planted problem or to a harmless habit. */
export interface Change {
  /** Factor by which the number of an endpoint's requests changes. */
  readonly rate?: (endpoint: EndpointHabit, atMs: number) => number;
  /** Changes a request in place. */
  readonly change?: (request: Request, random: Random) => void;
  /** Replaces the project's releases or its use of staging. */
  readonly habits?: Partial<Pick<Project, 'production' | 'staging' | 'stagingPerDay' | 'stagingSlowness'>>;
  /** Set if the service is instrumented with OpenTelemetry, and sends spans over OTLP instead of the SDK's traces. */
  readonly otlp?: Otlp;
}

export interface Otlp {
  /** The status text of the spans of failed requests. The exception's message is only in the exception event. */
  readonly statusText: string;
}

/** A planted problem and the change that it makes to a project's requests. */
export interface Problem extends Change {
  readonly truth: Truth;
}

/** True for a production request at or after the given time. */
export function isLive({ environment, atMs }: Request, startMs: number): boolean {
  return environment === 'production' && atMs >= startMs;
}

export type Plant = (project: Project, random: Random) => Problem;

export const SLOWER = /slow|longer|latenc|duration|took|takes|p(50|95|99)\b/i;
export const FAILING = /error|fail|5xx/i;
export const NEW_ERROR = /new.?error|error.{0,20}\bnew\b/i;
export const TRAFFIC =
  /traffic|volume|request rate|stopp|dropp|spik|fewer|more requests|no requests|times as many/i;
