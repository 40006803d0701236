import {
  type CapturedValue,
  MAX_LINKS_BACK,
  MAX_LINKS_FORWARD,
  type Step,
  type ValueLink,
  type ValueOrigin,
  type ValuePath,
  type ValuePlace,
} from '@throughline/contract';
import { summarise } from '@throughline/contract/captured';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import type { StoredTrace } from '../store.ts';
import { chooseTarget, type Refusal, refuseTooCommon } from './choose-target.ts';
import { buildCodeQuestion, type CodeQuestion } from './code/code-question.ts';
import { type Occurrence, OccurrenceSearch } from './find-occurrences.ts';
import { listRequestPlaces, listStepPlaces, type Place } from './list-places.ts';
import { createMatcher, type MatchValue } from './match-value.ts';
import { mergePlaces } from './merge-places.ts';
import { orderOccurrences } from './order-occurrences.ts';
import { RawSteps } from './raw-steps.ts';
import { findPart } from './visit-parts.ts';
import { writeLink, writeOrigin } from './write-origin.ts';

export interface AskedPlace {
  /** Undefined for a part of the request itself. */
  readonly stepId: string | undefined;
  readonly place: ValuePlace;
  readonly path: ValuePath;
}

/** A trace to search. The steps are as stored, with their references. */
export interface SearchedTrace {
  readonly trace: StoredTrace;
  readonly steps: readonly Step[];
}

export interface FoundOrigin {
  readonly origin: ValueOrigin;
  /** Undefined if no source code can show where the value came from. */
  readonly question: CodeQuestion | undefined;
}

/** Finds where a value came from and where it went; undefined if the trace has no value in that position. */
export async function findValueOrigin(
  searched: SearchedTrace,
  asked: AskedPlace,
): Promise<FoundOrigin | undefined> {
  const { trace } = searched;
  const steps = await RawSteps.read(searched.steps);
  const at = findPlace(searched, steps, asked);
  const found = at && findAt(steps.follow(at.value), asked.path, steps);
  if (at === undefined || found === undefined) return undefined;
  const { value, name } = found;
  const target = chooseTarget(value, name, steps);
  if (target.kind === 'refused') return refuse(trace, { at, path: asked.path }, value, target);
  const matches = createMatcher(target, steps);
  const self = { at, path: asked.path, ...(matches(value, name) ?? { how: 'equal-text' as const }) };
  const all = await listAll(searched, matches, steps);
  const { asked: own, others } = mergePlaces(all, self);
  if (target.kind === 'object' && !target.byContent && others.length === 0)
    return refuse(trace, self, value, refuseTooCommon());
  const ordered = orderOccurrences([own, ...others], steps.all);
  const place = ordered.indexOf(own);
  const [first = own] = ordered;
  const before = keepEnds(ordered.slice(0, place), MAX_LINKS_BACK, 1);
  const after = keepEnds(ordered.slice(place + 1), MAX_LINKS_FORWARD, MAX_LINKS_FORWARD - 1);
  const toLink = (each: Occurrence): ValueLink => writeLink(trace, each);
  const origin: ValueOrigin = {
    value: writeValue(value),
    asked: toLink(own),
    refusal: null,
    origin: writeOrigin({ first, asked: own, steps: steps.all }),
    code: null,
    came: before.kept.map(toLink),
    cameMore: before.more,
    went: after.kept.map(toLink),
    wentMore: after.more,
  };
  return { origin, question: buildCodeQuestion({ target, first, asked: own, steps: steps.all }) };
}

async function listAll(
  { trace, steps: all }: SearchedTrace,
  matches: MatchValue,
  steps: RawSteps,
): Promise<Occurrence[]> {
  const search = new OccurrenceSearch(matches, steps);
  const occurrences = listRequestPlaces(trace).flatMap((place) => search.listOccurrences(place));
  await runInSlices(all, (step) => {
    for (const place of listStepPlaces(step)) occurrences.push(...search.listOccurrences(place));
  });
  return occurrences;
}

function findPlace(
  { trace }: SearchedTrace,
  steps: RawSteps,
  { stepId, place }: AskedPlace,
): Place | undefined {
  if (stepId === undefined) return listRequestPlaces(trace).find((each) => each.place === place);
  const step = steps.find(stepId);
  return step && listStepPlaces(step).find((each) => each.place === place);
}

/** Finds the value at a path, and the last name on the path. */
function findAt(
  whole: CapturedValue,
  path: ValuePath,
  steps: RawSteps,
): { readonly value: CapturedValue; readonly name: string | undefined } | undefined {
  let value = whole;
  let name: string | undefined;
  for (const key of path) {
    const part = findPart(value, key);
    if (part === undefined) return undefined;
    value = steps.follow(part.value);
    name = part.name;
  }
  return { value, name };
}

/** Returns the first `head` links and the last links, at most `most` in total. */
function keepEnds(
  links: readonly Occurrence[],
  most: number,
  head: number,
): { readonly kept: readonly Occurrence[]; readonly more: number } {
  if (links.length <= most) return { kept: links, more: 0 };
  return {
    kept: [...links.slice(0, head), ...links.slice(links.length - (most - head))],
    more: links.length - most,
  };
}

function refuse(
  trace: StoredTrace,
  { at, path }: { readonly at: Place; readonly path: ValuePath },
  value: CapturedValue,
  { reason, text }: Refusal,
): FoundOrigin {
  const origin: ValueOrigin = {
    value: writeValue(value),
    asked: writeLink(trace, { at, path, how: 'equal-content' }),
    refusal: { reason, text },
    origin: null,
    code: null,
    came: [],
    cameMore: 0,
    went: [],
    wentMore: 0,
  };
  return { origin, question: undefined };
}

function writeValue(value: CapturedValue): string {
  const { text, className } = summarise(value);
  return className === undefined ? text : `${className} ${text}`;
}
