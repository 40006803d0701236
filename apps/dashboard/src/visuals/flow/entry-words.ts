import { formatCount, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import {
  countCalls,
  findEntryOutcome,
  findFirstNode,
  type StepEntry,
} from '../steps/analysis/bundle-repeats.ts';
import { type StepOutcome, THROWN_WORDS } from '../steps/step-outcome.ts';

/** The strings of a step's or bundle's card, used by the graph, the list and assistive technology. */
export interface EntryWords {
  /** The number of the step, or of the bundle's first step: "7". */
  readonly number: string;
  readonly name: string;
  readonly type: string;
  /** The formatted duration of the step; for a bundle, the total duration of its members. */
  readonly duration: string;
  readonly durationMs: number;
  /** "×12" for a bundle, or for a step that represents several calls. */
  readonly times: string | undefined;
  readonly outcome: StepOutcome;
  /** All the card's strings as one sentence. */
  readonly sentence: string;
}

export function describeEntry(entry: StepEntry): EntryWords {
  const { step, number } = findFirstNode(entry);
  const calls = countCalls(entry);
  const durationMs = entry.kind === 'bundle' ? entry.sumMs : step.duration;
  const words = {
    number: String(number),
    name: escapeControlCharacters(step.stepName),
    type: step.stepType,
    duration: formatDuration(durationMs),
    durationMs,
    times: calls > 1 ? `×${formatCount(calls)}` : undefined,
    outcome: findEntryOutcome(entry),
  };
  const parts = [`${words.number}. ${words.name}`, words.type];
  if (calls > 1) parts.push(`${formatCount(calls)} times`);
  parts.push(words.duration);
  if (words.outcome !== 'ended')
    parts.push(`${THROWN_WORDS[words.outcome]}: ${escapeControlCharacters(step.error?.message ?? '')}`);
  return { ...words, sentence: parts.join(', ') };
}
