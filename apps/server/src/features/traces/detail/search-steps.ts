import type { FoundSteps, Step } from '@throughline/contract';
import { findWords, readStepWords, splitSearch } from '@throughline/contract/captured';
import { refuseField } from '../../../platform/http/errors.ts';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import type { StepPages } from './answer.ts';
import { MAX_SMALL_BYTES, ReadingPlaces, SEARCHES } from './reading-places.ts';
import { SingleReadings } from './single-readings.ts';
import type { TraceHead } from './single-trace-store.ts';
import { findTraceSteps, stepPagesOfTrace } from './steps.ts';

/** Limits for characters searched per request and hits per response. The page on which a limit is reached is searched to its end. */
const MAX_CHARACTERS = 16_000_000;
const MAX_HITS = 5000;

export interface StepSearch {
  readonly text: string;
  /** Index of the first step to search. */
  readonly from: number;
}

interface Searcher {
  /** Identifies the reader. A search in a large trace waits in one queue with the reader's other reads of large traces. */
  readonly owner: string;
  /** Parses a stored step, masked for this reader, so that the search cannot find masked values. */
  readonly readStep: (json: string) => Step;
  /** True if the reader has disconnected. */
  readonly isGone: () => boolean;
}

export type SearchTrace = (trace: TraceHead, search: StepSearch, searcher: Searcher) => Promise<FoundSteps>;

/** Builds the search in one trace. Small traces are read in one piece. Small and large traces wait in separate queues. */
export function createStepSearch(store: TraceStore, large: ReadingPlaces): SearchTrace {
  const small = boundResults(store, MAX_SMALL_BYTES);
  const places = new ReadingPlaces(SEARCHES);
  const readings = new SingleReadings();
  const searchSmall: (...args: Parameters<SearchTrace>) => Promise<FoundSteps | undefined> = async (
    trace,
    search,
    searcher,
  ) => {
    // All public viewers have the same `owner`. The key also has the project, so that searches in one project do not wait for searches in
    // another project.
    const leave = await places.enter(`${searcher.owner} ${trace.project_id}`);
    try {
      if (searcher.isGone()) return { hits: [], steps: trace.step_count, searched: 0, next: 0 };
      const read = () => findTraceSteps(small, trace, { values: true });
      const steps = await readings.read(`${searcher.owner} ${trace.id}`, read, undefined);
      if (steps === undefined) return undefined;
      return await searchPages({ count: steps.length, pages: splitIntoPages(steps) }, search, searcher);
    } finally {
      leave();
    }
  };
  return async (trace, search, searcher) => {
    refuseWithoutWords(search);
    if (search.from === 0) {
      const found = await searchSmall(trace, search, searcher);
      if (found !== undefined) return found;
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

/** @throws AppError `validation_failed` if the text contains no word */
function refuseWithoutWords({ text }: StepSearch): void {
  if (splitSearch(text).length > 0) return;
  throw refuseField('text', 'text must contain at least one word');
}

const PAGE_STEPS = 1000;

async function* splitIntoPages(steps: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < steps.length; from += PAGE_STEPS) yield steps.slice(from, from + PAGE_STEPS);
}

async function searchPages(
  { count, pages }: StepPages,
  { text, from }: StepSearch,
  { readStep, isGone }: Searcher,
): Promise<FoundSteps> {
  const words = splitSearch(text);
  const hits: FoundSteps['hits'] = [];
  let [searched, characters] = [from, 0];
  for await (const page of pages) {
    await runInSlices(page, (json) => {
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
