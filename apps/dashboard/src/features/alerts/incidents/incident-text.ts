import {
  ALERT_EVENTS,
  type AlertDelivery,
  type AlertIncident,
  DELIVERY_STATES,
  formatAverage,
} from '@throughline/contract';
import { formatStart } from '../../../ui/time/relative-time.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

type Timed = Pick<AlertIncident, 'openedAt' | 'closedAt'>;

/** Describes when an incident began and ended, and how long the incident lasted. */
export function describeTime({ openedAt, closedAt }: Timed, nowMs: number): string {
  const openedMs = Date.parse(openedAt);
  const began = formatStart(openedMs, nowMs);
  if (closedAt === null) return `Since ${began}, for ${formatMinutes(nowMs - openedMs)}`;
  const closedMs = Date.parse(closedAt);
  return `${began} to ${formatStart(closedMs, nowMs)}, ${formatMinutes(closedMs - openedMs)}`;
}

/** Formats a duration in minutes, hours and minutes, or days and hours. */
export function formatMinutes(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < DAY_MINUTES) return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.floor(minutes / 60);
  return joinUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/**
 * Describes the highest value of an incident and the threshold of its rule. Returns an empty string if one of them is missing, for example
 * for rules about new errors.
 */
export function describePeak({ rule, peak }: Pick<AlertIncident, 'rule' | 'peak'>): string {
  if (peak === null || rule.threshold === null) return '';
  const format = (value: number) =>
    rule.kind === 'error_rate' ? `${Math.round(value * 10) / 10} %` : formatAverage(value);
  return `peak ${format(peak)}, threshold ${format(rule.threshold)}`;
}

type Messages = Pick<AlertIncident, 'waitsForQuietHours'> & {
  readonly deliveries: readonly Pick<AlertDelivery, 'event' | 'state'>[];
};

const EVENT_WORDS: Readonly<Record<AlertDelivery['event'], string>> = {
  firing: 'start',
  recovered: 'end',
  test: 'test',
};

/** Counts an incident's messages by delivery state: “Messages at start: 1 failed, 2 sent; end: 3 sent”. */
export function describeMessages({ waitsForQuietHours, deliveries }: Messages): string {
  if (waitsForQuietHours) return 'Message after the quiet hours';
  if (deliveries.length === 0) return 'No message';
  const parts = ALERT_EVENTS.flatMap((event) => {
    const counts = DELIVERY_STATES.toReversed().flatMap((state) => {
      const count = deliveries.filter((one) => one.event === event && one.state === state).length;
      return count === 0 ? [] : [`${count} ${state}`];
    });
    return counts.length === 0 ? [] : [`${EVENT_WORDS[event]}: ${counts.join(', ')}`];
  });
  return `Messages at ${parts.join('; ')}`;
}
