/** Minutes that the clocks of a European zone are ahead of UTC. */
const zones = {
  western: { winter: 0, summer: 60 },
  central: { winter: 60, summer: 120 },
  eastern: { winter: 120, summer: 180 },
};

export type ZoneName = keyof typeof zones;

function isSummerTime(at: Date): boolean {
  const month = at.getUTCMonth();
  if (month === 2) return at.getTime() >= lastSunday(at.getUTCFullYear(), 2);
  return month > 2 && month <= 9;
}

/** 01:00 UTC on the last Sunday of a month. */
function lastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0));
  return Date.UTC(year, month, lastDay.getUTCDate() - lastDay.getUTCDay(), 1);
}

export function offsetAt(zone: ZoneName, at: Date): number {
  const { winter, summer } = zones[zone];
  return isSummerTime(at) ? summer : winter;
}
