import { formatCount, formatCounted, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { StepNode } from '../../../steps/analysis/step-forest.ts';
import { SHORT_THROWN_WORDS } from '../../../steps/step-outcome.ts';
import type { CallEdge, CallGraph, FunctionCalls } from './call-graph.ts';
import { nameFunction } from './function-identity.ts';

/** The strings of a function's card, used by the graph, the list and assistive technology. */
export interface FunctionWords {
  readonly name: string;
  /** "×12"; undefined for a single call. */
  readonly times: string | undefined;
  readonly total: string;
  readonly self: string;
  /** "1 failed" or "1 handled"; undefined if no call threw. */
  readonly thrown: string | undefined;
  /** All the card's strings: "taxFor, 12 calls, 40 ms, 1 failed". */
  readonly sentence: string;
}

export function describeFunction(called: FunctionCalls): FunctionWords {
  const { calls, recursive, first } = called;
  const name = escapeControlCharacters(nameFunction(first, calls));
  const total = formatDuration(called.totalMs);
  const parts = [name, calls === 1 ? '1 call' : `${formatCount(calls)} calls`, total];
  if (recursive > 0) parts.push('recursive');
  if (called.outcome === 'handled') parts.push(`${formatCounted(called.thrown, 'error')} handled`);
  else if (called.outcome === 'failed') parts.push(`${formatCount(called.thrown)} failed`);
  return {
    name,
    times: calls > 1 ? `×${formatCount(calls)}` : undefined,
    total,
    self: formatDuration(called.selfMs),
    thrown:
      called.outcome === 'ended'
        ? undefined
        : `${formatCount(called.thrown)} ${SHORT_THROWN_WORDS[called.outcome]}`,
    sentence: parts.join(', '),
  };
}

/** Maximum number of callers, and of callees, in the description of a function. */
const MAX_DESCRIBED = 5;

/**
 * Describes the callers and callees of a function: "Called by priceItem (12 calls, 40 ms). Calls readRate (3 calls, 9 ms)." Callers
 * and callees with more time come first.
 */
export function describeCalls({ id }: FunctionCalls, { callers, callees, byId }: CallGraph): string {
  const parts = [
    { begin: 'Called by', edges: callers.get(id) ?? [], end: ({ caller }: CallEdge) => caller },
    { begin: 'Calls', edges: callees.get(id) ?? [], end: ({ callee }: CallEdge) => callee },
  ].flatMap(({ begin, edges, end }) => {
    const named = edges.slice(0, MAX_DESCRIBED).flatMap((edge) => {
      const other = byId.get(end(edge));
      if (other === undefined) return [];
      const { name } = describeFunction(other);
      return [`${name} (${formatCounted(edge.calls, 'call')}, ${formatDuration(edge.totalMs)})`];
    });
    const more = edges.length - named.length;
    if (more > 0) named.push(`${formatCount(more)} more`);
    return named.length === 0 ? [] : [`${begin} ${named.join(', ')}.`];
  });
  return parts.join(' ');
}

/** Returns the most informative call of a function: the first call that threw, otherwise the longest. */
export function findTellingCall({ nodes, longest }: FunctionCalls): StepNode {
  return nodes.find(({ outcome }) => outcome !== 'ended') ?? longest;
}
