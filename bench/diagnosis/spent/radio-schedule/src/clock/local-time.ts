import { offsetAt, type ZoneName } from './zones.ts';

export interface LocalTime {
  weekday: number;
  minute: number;
}

export function localTime(zone: ZoneName, at: Date): LocalTime {
  const shifted = new Date(at.getTime() + offsetAt(zone, at) * 60_000);
  return { weekday: shifted.getUTCDay(), minute: shifted.getUTCHours() * 60 + shifted.getUTCMinutes() };
}

export function toClock(minute: number): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

export function toMinute(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
