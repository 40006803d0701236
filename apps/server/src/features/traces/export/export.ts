import { randomUUID } from 'node:crypto';
import type { VisibleProject } from '../../../platform/http/guard.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import { readStepTexts } from '../../spans/index.ts';
import { traceText, traceTextPieces } from '../detail/answer.ts';
import { type ReadingPlaces, readUnlessTooLarge } from '../detail/reading-places.ts';
import { findSpanRequest, stepPagesOfTrace } from '../detail/steps.ts';
import type { ListQuery } from '../list/list-query.ts';
import type { StoredTrace } from '../store.ts';
import { findStepsOfMany, findWholePage } from './export-store.ts';

/**
 * Maximum numbers of traces on the first page and on later pages, and of steps that are read together for several traces. A step usually
 * has about 1 kB.
 */
const TRACES_AT_ONCE = { first: 20, most: 200 } as const;
const STEPS_AT_ONCE = 4000;
/**
 * Target size of one read, in characters. After large traces, fewer traces are read at a time, because the bodies of one trace can have
 * megabytes.
 */
const CHARACTERS_AT_ONCE = 8_000_000;
/** Maximum size of a read of several traces. A larger trace is read separately and counts as a large read. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum delay of a timer, about 25 days. In practice, an export waits without a limit, because an incomplete file is useless. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * Yields each selected trace as a JSON line, in the list's order; a large trace is yielded in pieces. Only one page of traces, and the
 * steps of some of them, are in memory.
 */
export async function* exportLines(
  store: TraceStore,
  projects: readonly VisibleProject[],
  query: ListQuery,
  large: ReadingPlaces,
): AsyncGenerator<string> {
  const small = boundResults(store, MAX_BYTES);
  const owner = `export ${randomUUID()}`;
  let after = query.after;
  let limit: number = TRACES_AT_ONCE.first;
  for (let isMore = true; isMore; ) {
    const found = await readUnlessTooLarge(findWholePage(small, projects, { ...query, limit, after }));
    if (found === undefined && limit > 1) {
      limit = 1;
      continue;
    }
    const page = found ?? (await findWholePage(store, projects, { ...query, limit, after }));
    let characters = 0;
    for (const some of groupBySteps(page.traces)) {
      const steps = await readUnlessTooLarge(readSteps(small, some));
      for (const trace of some) {
        if (steps === undefined) {
          const leave = await large.enter(owner, MAX_WAIT_MS);
          try {
            const pages = await stepPagesOfTrace(store, trace, { values: true });
            for await (const piece of traceTextPieces(trace, pages)) {
              characters += piece.length;
              yield piece;
            }
            yield '\n';
          } finally {
            leave();
          }
          continue;
        }
        const line = `${traceText(trace, steps.get(trace.id) ?? [])}\n`;
        characters += line.length;
        yield line;
      }
    }
    const fitting = Math.floor((CHARACTERS_AT_ONCE * page.traces.length) / Math.max(1, characters));
    limit = Math.max(1, Math.min(TRACES_AT_ONCE.most, fitting));
    after = page.next;
    isMore = after !== undefined;
  }
}

/** Groups consecutive traces with few steps. A trace with many steps is a group of its own. */
function groupBySteps(traces: readonly StoredTrace[]): StoredTrace[][] {
  const groups: StoredTrace[][] = [];
  let room = 0;
  for (const trace of traces) {
    const group = groups.at(-1);
    if (group !== undefined && trace.step_count <= room) group.push(trace);
    else {
      groups.push([trace]);
      room = STEPS_AT_ONCE;
    }
    room -= trace.step_count;
  }
  return groups;
}

async function readSteps(
  store: TraceStore,
  traces: readonly StoredTrace[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const steps = new Map<string, readonly string[]>();
  const own = traces.filter(({ has_spans }) => !has_spans);
  for (const [project, some] of Map.groupBy(own, ({ project_id }) => project_id)) {
    for (const [id, texts] of await findStepsOfMany(store, project, some)) steps.set(id, texts);
  }
  for (const trace of traces) {
    const request = findSpanRequest(trace);
    if (request !== undefined) steps.set(trace.id, await readStepTexts(store, request, { values: true }));
  }
  return steps;
}
