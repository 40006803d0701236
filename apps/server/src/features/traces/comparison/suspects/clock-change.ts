import type { CapturedValue, Step } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { flatten } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { oncePer } from '../once-per.ts';

/** Two time zones, one for each of the usual rules: in most of Europe and in North America, clocks change on different days. */
const ZONES = ['Europe/Berlin', 'America/New_York'] as const;
const DAY_MS = 86_400_000;
/** Maximum time between a call's earliest and latest time. Longer periods often include a clock change, so the change explains nothing. */
const MAX_MS = 60 * DAY_MS;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?$/;

/**
 * True if clocks in one of the `ZONES` changed to or from summer time between two times that the call received or returned, and between the
 * times of no other call. A day with such a change has 23 or 25 hours, so calculations with it are often wrong.
 */
export function hasClockChange(step: Step, calls: readonly Step[]): boolean {
  return listZones(step).some((zone) => !calls.some((call) => listZones(call).includes(zone)));
}

/** Lists the zones in which clocks changed between the times of a call. */
const listZones = oncePer((step: Step): readonly (typeof ZONES)[number][] => {
  const times = [...flatten(step.inputs), ...flatten(readResult(step))].flatMap(({ value }) =>
    readTime(value),
  );
  if (times.length < 2) return [];
  const [from, until] = [Math.min(...times), Math.max(...times)];
  if (until - from > MAX_MS) return [];
  return ZONES.filter((zone) => readOffset(from, zone) !== readOffset(until, zone));
});

function readTime(value: CapturedValue): number[] {
  const shape = classifyValue(value);
  const text = shape.kind === 'form' && shape.form.$type === 'Date' ? shape.form.value : value;
  if (typeof text !== 'string' || !DATE.test(text)) return [];
  const time = Date.parse(text);
  return Number.isFinite(time) ? [time] : [];
}

const formats = new Map(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })]),
);

/** Returns the zone's offset to UTC, such as GMT+02:00. */
function readOffset(time: number, zone: (typeof ZONES)[number]): string {
  const parts = formats.get(zone)?.formatToParts(time) ?? [];
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
