import type { FoundSteps, Step } from '@throughline/contract';
import { findWords, readStepWords, searchedWords } from '@throughline/contract/captured';
import { AppError } from '../../platform/http/errors.ts';
import { boundedResults, type TraceStore } from '../../platform/trace-store/index.ts';
import type { StepPages } from './answer.ts';
import { inSlices } from './in-slices.ts';
import { MAX_SMALL_BYTES, type ReadingPlaces, unlessTooLarge } from './reading-places.ts';
import type { TraceHead } from './single-trace-store.ts';
import { stepPagesOfTrace, stepsOfTrace } from './steps.ts';

/** Characters of steps that one call searches, and hits of one answer. The page in which a bound is passed is searched to its end. */
const MAX_CHARACTERS = 16_000_000;
const MAX_HITS = 5000;

export interface StepSearch {
  readonly text: string;
  /** The place of the first step that is searched. */
  readonly from: number;
}

interface Searcher {
  /** Waits in line with the owner's other reading of large traces. */
  readonly owner: string;
  /** Reads a step of the store as the searcher sees it: what is masked is not found. */
  readonly readStep: (json: string) => Step;
  /** The searcher waits for the answer no longer. */
  readonly isGone: () => boolean;
}

export type SearchTrace = (trace: TraceHead, search: StepSearch, searcher: Searcher) => Promise<FoundSteps>;

/** Searches one trace. A small one is read in one piece; a large one waits in line, as reading it does. */
export function createStepSearch(store: TraceStore, large: ReadingPlaces): SearchTrace {
  const small = boundedResults(store, MAX_SMALL_BYTES);
  return async (trace, search, searcher) => {
    refuseWithoutWords(search);
    if (search.from === 0) {
      const steps = await unlessTooLarge(stepsOfTrace(small, trace, { values: true }));
      if (steps !== undefined)
        return searchPages({ count: steps.length, pages: inPages(steps) }, search, searcher);
    }
    const leave = await large.enter(searcher.owner);
    try {
      const pages = await stepPagesOfTrace(store, trace, { values: true }, search.from);
      return await searchPages(pages, search, searcher);
    } finally {
      leave();
    }
  };
}

/** @throws AppError `validation_failed` */
function refuseWithoutWords({ text }: StepSearch): void {
  if (searchedWords(text).length > 0) return;
  const message = 'text has one word at least';
  throw new AppError('validation_failed', message, { details: { fields: [{ path: 'text', message }] } });
}

const PAGE_STEPS = 1000;

async function* inPages(steps: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < steps.length; from += PAGE_STEPS) yield steps.slice(from, from + PAGE_STEPS);
}

async function searchPages(
  { count, pages }: StepPages,
  { text, from }: StepSearch,
  { readStep, isGone }: Searcher,
): Promise<FoundSteps> {
  const words = searchedWords(text);
  const hits: FoundSteps['hits'] = [];
  let [searched, characters] = [from, 0];
  for await (const page of pages) {
    await inSlices(page, (json) => {
      const step = readStep(json);
      const foundIn = findWords(readStepWords(step), words);
      if (foundIn !== undefined) hits.push({ stepId: step.stepId, foundIn });
      characters += json.length;
    });
    searched += page.length;
    const isFull = characters >= MAX_CHARACTERS || hits.length >= MAX_HITS;
    if (searched < count && (isFull || isGone())) return { hits, steps: count, searched, next: searched };
  }
  return { hits, steps: count, searched: count, next: null };
}
