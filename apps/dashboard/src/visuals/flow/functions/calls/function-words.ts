import { formatCount, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { StepNode } from '../../../steps/analysis/step-forest.ts';
import type { FunctionCalls } from './call-graph.ts';
import { nameFunction } from './function-identity.ts';

/** The strings of a function's card, used by the graph, the list and assistive technology. */
export interface FunctionWords {
  readonly name: string;
  /** "×12"; undefined for a single call. */
  readonly times: string | undefined;
  readonly total: string;
  readonly self: string;
  /** "1 failed"; undefined if no call failed. */
  readonly failed: string | undefined;
  /** All the card's strings: "taxFor, 12 calls, 40 ms, 1 failed". */
  readonly sentence: string;
}

export function describeFunction(called: FunctionCalls): FunctionWords {
  const { calls, failed, recursive, first } = called;
  const name = escapeControlCharacters(nameFunction(first, calls));
  const total = formatDuration(called.totalMs);
  const failedWords = failed === 0 ? undefined : `${formatCount(failed)} failed`;
  const parts = [name, calls === 1 ? '1 call' : `${formatCount(calls)} calls`, total];
  if (recursive > 0) parts.push('recursive');
  if (failedWords !== undefined) parts.push(failedWords);
  return {
    name,
    times: calls > 1 ? `×${formatCount(calls)}` : undefined,
    total,
    self: formatDuration(called.selfMs),
    failed: failedWords,
    sentence: parts.join(', '),
  };
}

/** Returns the most informative call of a function: the first failed call, otherwise the longest. */
export function findTellingCall({ nodes, longest }: FunctionCalls): StepNode {
  return nodes.find(({ step }) => step.error !== null) ?? longest;
}
