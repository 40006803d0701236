import { setTimeout as wait } from 'node:timers/promises';
import { orientationFactor } from './orientation.ts';
import type { Site } from './sites.ts';

const RACK_TILT = 10;
const PANEL_KWP = 0.44;

async function sunHours(site: Site): Promise<number> {
  await wait(8);
  return site.id === 'hill-5' ? 1080 : 1025;
}

/** Panels on a flat roof are mounted on racks. */
function flatRoofFactor(azimuth: number, rackTilt: number): number {
  const spacing = 0.97;
  return orientationFactor(azimuth, rackTilt) * spacing;
}

export async function yearlyYield(site: Site, panels: number): Promise<number> {
  const hours = await sunHours(site);
  const factor =
    site.roof === 'flat'
      ? flatRoofFactor(site.azimuth, RACK_TILT)
      : orientationFactor(site.tilt, site.azimuth);
  return Math.round(panels * PANEL_KWP * hours * factor * (1 - site.shaded));
}
