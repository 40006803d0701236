import { formatClock, formatDate } from '../../ui/time/relative-time.ts';
import { toDate } from './calendar-days.ts';
import { readTimeRange, type TimeRange, toRangeSpan } from './time-range.ts';

export const END_BEFORE_START = 'End date must not be before the start date.';

/** The fields of the form: days as 2026-01-31 and times as 14:02; empty if they are not set. */
export interface AbsoluteFields {
  readonly startDay: string;
  readonly startTime: string;
  readonly endDay: string;
  readonly endTime: string;
}

const NO_FIELDS: AbsoluteFields = { startDay: '', startTime: '', endDay: '', endTime: '' };

/** Fills the form with a range. For a range of whole days, the time fields stay empty. */
export function fillFields(range: TimeRange | undefined, now: Date): AbsoluteFields {
  if (range === undefined) return NO_FIELDS;
  if (range.kind === 'days') {
    const { start, end } = range.period;
    return { ...NO_FIELDS, startDay: start, endDay: end };
  }
  const { from, to } = toRangeSpan(range, now);
  const write = (ms: number) => [formatDate(ms), formatClock(ms).slice(0, 5)] as const;
  const [startDay, startTime] = write(from);
  const [endDay, endTime] =
    range.kind === 'instants' && range.to === undefined ? ['', ''] : write(Math.min(to, now.getTime()));
  return { startDay, startTime, endDay, endTime };
}

export type AbsoluteResult =
  | { readonly range: TimeRange; readonly fault?: never }
  | { readonly range?: never; readonly fault: string };

/** Reads the form: whole days if no time is set, otherwise instants. An empty end means now. */
export function readFields(
  { startDay, startTime, endDay, endTime }: AbsoluteFields,
  now: Date,
): AbsoluteResult {
  if (startDay === '') return { fault: 'Enter a start date.' };
  if (endDay === '' && endTime !== '') return { fault: 'Enter an end date.' };
  if (startTime === '' && endTime === '') {
    if (endDay !== '' && endDay < startDay) return { fault: END_BEFORE_START };
    const range = readTimeRange({ start: startDay, end: endDay === '' ? undefined : endDay }, now);
    return range === undefined ? { fault: 'Enter a start date.' } : { range };
  }
  const from = findInstant(startDay, startTime);
  // If the end has a day but no time, the range ends with the day's last millisecond.
  const to =
    endDay === ''
      ? undefined
      : endTime === ''
        ? toDate(endDay, 1).getTime() - 1
        : findInstant(endDay, endTime);
  if (to !== undefined && to < from) return { fault: END_BEFORE_START };
  const write = (ms: number) => new Date(ms).toISOString();
  return { range: { kind: 'instants', from: write(from), to: to === undefined ? undefined : write(to) } };
}

function findInstant(day: string, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const at = toDate(day);
  at.setHours(hours, minutes);
  return at.getTime();
}
