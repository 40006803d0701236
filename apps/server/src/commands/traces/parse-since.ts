import { InvalidInput } from '../command.ts';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Returns the time that lies before `now` by a duration such as `30m`, `1h`, `7d` or `2w`. @throws InvalidInput */
export function parseSince(text: string, now: Date): Date {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  if (count === '')
    throw new InvalidInput('--since must be a number and m, h, d or w, such as 30m, 1h or 7d.');
  // Safe cast: the pattern allows only these units.
  return new Date(now.getTime() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}
