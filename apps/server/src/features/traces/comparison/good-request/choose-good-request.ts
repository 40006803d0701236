import type { CapturedValue } from '@throughline/contract';
import { formatOwnText, listParts } from '@throughline/contract/captured';
import type { Candidate } from './good-request-store.ts';

/** The fields of a request that successful requests are ranked by. */
export interface ComparedRequest {
  readonly path: string;
  readonly release: string;
  readonly startMicros: bigint;
  readonly stepCount: number;
  readonly query: CapturedValue | undefined;
  readonly body: CapturedValue | undefined;
}

/**
 * How the release of a successful request relates to the inspected request's release: the same, the release before, or another. `unknown`
 * if the successful request has no release.
 */
type ReleaseRelation = 'same' | 'before' | 'other' | 'unknown';

export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly released: ReleaseRelation;
  readonly equalInputs: number;
  readonly inputs: number;
  readonly score: number;
}

/** Similar inputs count most, because they cause the fewest irrelevant differences; an equal release comes next. */
const WEIGHTS = { inputs: 3, release: 1, time: 0.5, steps: 0.5 } as const;
const HOUR_MICROS = 3_600_000_000;
/** Maximum number of input values that are compared. */
const MAX_INPUTS = 200;

/**
 * Ranks successful requests by their similarity to a request, the most similar first. If the request's release is known, requests of this
 * release, or of the release `before`, come before all others, whose code differs more.
 */
export function rankCandidates(
  request: ComparedRequest,
  candidates: readonly Candidate[],
  before: string | undefined,
): readonly RankedCandidate[] {
  const own = listInputs(request);
  return candidates
    .map((candidate) => ({
      ...rank(request, own, candidate),
      released: relateRelease(candidate.release, request.release, before),
    }))
    .sort(
      (a, b) =>
        Number(isFar(a, request)) - Number(isFar(b, request)) ||
        b.score - a.score ||
        (a.candidate.id < b.candidate.id ? -1 : 1),
    );
}

function relateRelease(release: string, own: string, before: string | undefined): ReleaseRelation {
  if (release === '') return 'unknown';
  if (release === own) return 'same';
  return release === before ? 'before' : 'other';
}

/** True if the request's release is known, and the candidate has neither this release nor the release before. */
function isFar({ released }: Pick<RankedCandidate, 'released'>, { release }: ComparedRequest): boolean {
  return release !== '' && (released === 'other' || released === 'unknown');
}

export function listFurther(ranked: readonly RankedCandidate[], chosen: string): readonly RankedCandidate[] {
  return ranked.filter(({ candidate }) => candidate.id !== chosen);
}

/**
 * Returns the ids of the further successful requests whose values are compared position by position with those of the inspected request. If
 * the chosen request has exactly the inputs of the inspected request, only requests with these inputs are returned.
 */
export function listComparable(ranked: readonly RankedCandidate[], chosen: string): ReadonlySet<string> {
  const isSame = ({ equalInputs, inputs }: RankedCandidate) => equalInputs === inputs;
  const nearest = ranked.find(({ candidate }) => candidate.id === chosen);
  const further = listFurther(ranked, chosen);
  const comparable = nearest !== undefined && isSame(nearest) ? further.filter(isSame) : further;
  return new Set(comparable.map(({ candidate }) => candidate.id));
}

function rank(
  request: ComparedRequest,
  own: Inputs,
  candidate: Candidate,
): Omit<RankedCandidate, 'released'> {
  const others = listInputs({
    path: candidate.path,
    query: parseValue(candidate.query),
    body: parseValue(candidate.body),
  });
  const places = new Set([...own.keys(), ...others.keys()]);
  const equalInputs = [...places].filter((place) => own.get(place) === others.get(place)).length;
  const inputs = places.size;
  const hours = Math.abs(Number(candidate.start_micros - request.startMicros)) / HOUR_MICROS;
  const fewer = Math.min(candidate.step_count, request.stepCount) + 1;
  const more = Math.max(candidate.step_count, request.stepCount) + 1;
  const score =
    WEIGHTS.inputs * (inputs === 0 ? 1 : equalInputs / inputs) +
    WEIGHTS.release * (candidate.release === request.release ? 1 : 0) +
    WEIGHTS.time / (1 + hours) +
    WEIGHTS.steps * (fewer / more);
  return { candidate, equalInputs, inputs, score };
}

type Inputs = ReadonlyMap<string, string>;

/** Collects a request's input values by their position. */
function listInputs({ path, query, body }: Pick<ComparedRequest, 'path' | 'query' | 'body'>): Inputs {
  const inputs = new Map<string, string>();
  for (const [index, segment] of path.split('/').entries()) {
    if (segment !== '') inputs.set(`path ${index}`, segment);
  }
  const pending: (readonly [string, CapturedValue])[] = [];
  if (query !== undefined) pending.push(['query', query]);
  if (body !== undefined) pending.push(['body', body]);
  for (let next = pending.pop(); next !== undefined && inputs.size < MAX_INPUTS; next = pending.pop()) {
    const [place, value] = next;
    const { children } = listParts(value);
    if (children.length === 0) inputs.set(place, formatOwnText(value));
    for (const [index, child] of children.entries()) {
      const { label } = child;
      pending.push([`${place} ${label.kind === 'key' ? label.text : index}`, child.value]);
    }
  }
  return inputs;
}

/** Parses a captured part of a request, such as the body, that is stored as JSON; undefined if the part was not captured. */
export function parseValue(json: string): CapturedValue | undefined {
  return json === '' ? undefined : JSON.parse(json);
}

/** Writes a sentence that explains why a request was chosen. */
export function writeReason(request: ComparedRequest, ranked: RankedCandidate): string {
  const { candidate, equalInputs, inputs } = ranked;
  const seconds = Math.round(Number(candidate.start_micros - request.startMicros) / 1_000_000);
  const alike = inputs === 0 ? [] : [`${equalInputs} of ${inputs} input values equal`];
  const success = candidate.similarPath
    ? 'Nearest successful request of a similar path, with the same functions'
    : 'Nearest successful request of this endpoint';
  return [success, ...writeRelease(ranked, request), writeDistance(seconds), ...alike].join(', ');
}

/**
 * Writes the release of the chosen request. Adds a reason if the release is neither the inspected request's release nor the one before.
 * Returns an empty list if there is nothing to say.
 */
function writeRelease(ranked: RankedCandidate, request: ComparedRequest): readonly string[] {
  const { released, candidate } = ranked;
  const why = isFar(ranked, request) ? ', since none of this release or the one before was suitable' : '';
  switch (released) {
    case 'same':
      return ['same release'];
    case 'before':
      return [`release ${candidate.release}, the one before`];
    case 'other':
      return [`release ${candidate.release}${why}`];
    case 'unknown':
      return why === '' ? [] : [`without a release${why}`];
  }
}

function writeDistance(seconds: number): string {
  const [size, unit] = pickUnit(Math.abs(seconds));
  if (size === 0) return 'at the same time';
  return `${size} ${unit}${size === 1 ? '' : 's'} ${seconds < 0 ? 'earlier' : 'later'}`;
}

function pickUnit(seconds: number): readonly [number, string] {
  if (seconds < 120) return [seconds, 'second'];
  if (seconds < 7_200) return [Math.round(seconds / 60), 'minute'];
  if (seconds < 172_800) return [Math.round(seconds / 3600), 'hour'];
  return [Math.round(seconds / 86_400), 'day'];
}
