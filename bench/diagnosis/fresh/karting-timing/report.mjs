import { randomUUID } from 'node:crypto';
import { average, flagLap, podium, spread, trend, validLaps } from './analysis.mjs';

export function clock(ms) {
  const minutes = Math.floor(ms / 60_000);
  return `${minutes}:${((ms % 60_000) / 1000).toFixed(3).padStart(6, '0')}`;
}

const SECTIONS = {
  best: (laps) => podium(laps).map(({ lap, ms }) => ({ lap, time: clock(ms) })),
  consistency: (laps) => ({ average: clock(average(laps)), spreadMs: spread(laps) }),
};

function sectionsFor(names, laps) {
  return Object.fromEntries(names.filter((name) => SECTIONS[name]).map((name) => [name, SECTIONS[name](laps)]));
}

export function driverReport(heat, { kart, driver, laps }, { sections, viewer }) {
  const counted = validLaps(laps);
  const extra = sectionsFor(sections, counted);
  const flag = flagLap(counted);
  return {
    report: randomUUID(),
    viewer,
    heat: heat.id,
    kart,
    driver,
    laps: counted.length,
    ...extra,
    flag: { ...flag, time: clock(flag.ms) },
    trend: trend(counted),
    printedAt: new Date().toISOString(),
  };
}
