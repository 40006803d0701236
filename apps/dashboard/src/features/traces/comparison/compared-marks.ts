import { formatCount, formatCounted, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { THROWN_WORDS, type ThrownAs } from '../../../visuals/steps/step-outcome.ts';
import type { ComparedRow } from './compared-rows.ts';

/** A call counts as slower if it took at least `ratio` times as long as in the other request, and at least `ms` milliseconds longer. */
const SLOWER = { ratio: 2, ms: 20 } as const;

/** The word for the calls that threw (`failed` or `handled`), for each of the two requests. */
export interface ThrownInBoth {
  readonly here: ThrownAs;
  readonly other: ThrownAs;
}

export function findSide({ step }: ComparedRow): 'both' | 'this' | 'other' {
  if (step.other === null) return 'this';
  return step.step === null ? 'other' : 'both';
}

interface Mark {
  readonly text: string;
  /** Shorter text for a narrow list, in which the mark is below the column titles "This" and "Other". */
  readonly short: string;
  readonly tone: 'unusual' | 'plain';
}

/** Lists in words how a call differs from the same call of the other request. */
export function listMarks(row: ComparedRow): readonly Mark[] {
  const { step } = row;
  const marks: Mark[] = [];
  if (findSide(row) !== 'both') marks.push(markSide(row));
  if (step.moved) marks.push({ text: 'in a different order', short: 'order', tone: 'plain' });
  if (isSlower(row)) marks.push({ text: 'slower', short: 'slower', tone: 'plain' });
  if (step.unusual > 0) {
    const short = `${formatCount(step.unusual)} unusual`;
    marks.push({ text: formatCounted(step.unusual, 'unusual value'), short, tone: 'unusual' });
  }
  return marks;
}

/**
 * Returns the mark of a call that only one request made. If the other request called the function, too, the mark compares the numbers of
 * calls. Otherwise the mark names the request that made the call.
 */
function markSide(row: ComparedRow): Mark {
  const { calls, otherCalls } = row.step;
  const isHere = findSide(row) === 'this';
  if (calls > 0 && otherCalls > 0) {
    const times = `called ${formatCounted(calls, 'time')} instead of ${formatCount(otherCalls)}`;
    const short = `${formatCount(calls)}× not ${formatCount(otherCalls)}×`;
    return { text: calls > otherCalls ? `repeated: ${times}` : times, short, tone: 'plain' };
  }
  return isHere
    ? { text: 'only in this request', short: 'only this', tone: 'plain' }
    : { text: 'only in the other request', short: 'only other', tone: 'plain' };
}

export function isSlower({ ms, otherMs }: Pick<ComparedRow, 'ms' | 'otherMs'>): boolean {
  return ms !== null && otherMs !== null && ms >= otherMs * SLOWER.ratio && ms - otherMs >= SLOWER.ms;
}

/** Formats by how much the call took longer (+) or shorter (−) than in the other request. Empty if only one request made the call. */
export function formatChange({ ms, otherMs }: Pick<ComparedRow, 'ms' | 'otherMs'>): string {
  if (ms === null || otherMs === null) return '';
  const change = ms - otherMs;
  if (change === 0) return '0 ms';
  return `${change > 0 ? '+' : '−'}${formatDuration(Math.abs(change))}`;
}

/** Describes a row for assistive technology. */
export function describeRow(row: ComparedRow, thrownAs: ThrownInBoth): string {
  const { step, count, ms, otherMs } = row;
  const times = [
    ms === null ? undefined : `${formatDuration(ms)} here`,
    otherMs === null ? undefined : `${formatDuration(otherMs)} in the other request`,
  ].filter((time) => time !== undefined);
  return [
    escapeControlCharacters(step.name) + (count > 1 ? `, ${formatCount(count)} calls` : ''),
    ...(step.failed ? [`${THROWN_WORDS[thrownAs.here]} here`] : []),
    ...(step.otherFailed ? [`${THROWN_WORDS[thrownAs.other]} in the other request`] : []),
    ...listMarks(row).map(({ text }) => text),
    ...times,
  ].join(', ');
}
