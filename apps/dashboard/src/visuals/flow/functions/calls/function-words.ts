import { formatCount, formatCounted, formatDuration } from '@throughline/contract';
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
  /** "1 failed" or "1 error handled"; undefined if no call threw. */
  readonly thrown: string | undefined;
  /** All the card's strings: "taxFor, 12 calls, 40 ms, 1 failed". */
  readonly sentence: string;
}

export function describeFunction(called: FunctionCalls): FunctionWords {
  const { calls, recursive, first } = called;
  const name = escapeControlCharacters(nameFunction(first, calls));
  const total = formatDuration(called.totalMs);
  const thrown = describeThrown(called);
  const parts = [name, calls === 1 ? '1 call' : `${formatCount(calls)} calls`, total];
  if (recursive > 0) parts.push('recursive');
  if (thrown !== undefined) parts.push(thrown);
  return {
    name,
    times: calls > 1 ? `×${formatCount(calls)}` : undefined,
    total,
    self: formatDuration(called.selfMs),
    thrown,
    sentence: parts.join(', '),
  };
}

function describeThrown({ thrown, outcome }: FunctionCalls): string | undefined {
  if (outcome === 'ended') return undefined;
  return outcome === 'failed' ? `${formatCount(thrown)} failed` : `${formatCounted(thrown, 'error')} handled`;
}

/** Returns the most informative call of a function: the first call that threw, otherwise the longest. */
export function findTellingCall({ nodes, longest }: FunctionCalls): StepNode {
  return nodes.find(({ outcome }) => outcome !== 'ended') ?? longest;
}
