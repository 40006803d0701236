import type { Reservation } from './reservations.ts';

const perNight: Record<string, number> = { S: 24, T: 15, W: 19 };
const extraPerNight: Record<string, number> = { power: 4, dog: 3, boat: 8 };

const rateOf = (pitch: string): number => perNight[pitch.charAt(0)] ?? 20;

function extrasPerNight(extras: string[]): number {
  return extras.reduce((sum, extra) => sum + (extraPerNight[extra] ?? 0), 0);
}

export function invoice({ pitch, nights, extras }: Reservation) {
  const euros = nights * (rateOf(pitch) + extrasPerNight(extras));
  const deposit = extras.includes('boat') ? 50 : 0;
  return { nights, euros, deposit };
}
