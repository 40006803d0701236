import { localTime, toClock, toMinute } from '../clock/local-time.ts';
import type { Station } from '../stations/stations.ts';
import { slotsOn, type Slot } from './plan.ts';

function current(slots: Slot[], minute: number): Slot | undefined {
  return slots.findLast(({ from }) => toMinute(from) <= minute);
}

function following(slots: Slot[], minute: number): Slot | undefined {
  return slots.find(({ from }) => toMinute(from) > minute);
}

export async function onAir(station: Station, at: Date) {
  const { weekday, minute } = localTime(station.zone, at);
  const slots = await slotsOn(station.id, weekday);
  const next = following(slots, minute);
  return {
    station: station.name,
    time: toClock(minute),
    now: current(slots, minute)?.title ?? 'Music',
    next: next ? `${next.title} at ${next.from}` : 'see tomorrow',
  };
}
