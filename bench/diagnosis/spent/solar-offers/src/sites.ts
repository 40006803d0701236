import { setTimeout as wait } from 'node:timers/promises';

export interface Site {
  id: string;
  owner: string;
  roof: 'pitched' | 'flat';
  /** Degrees above the horizontal. */
  tilt: number;
  /** Degrees from north, 180 is south. */
  azimuth: number;
  shaded: number;
}

const sites: Site[] = [
  { id: 'birch-8', owner: 'Nilsson', roof: 'pitched', tilt: 38, azimuth: 185, shaded: 0 },
  { id: 'oak-21', owner: 'Petrov', roof: 'pitched', tilt: 30, azimuth: 140, shaded: 0.1 },
  { id: 'barn-2', owner: 'Wagner', roof: 'pitched', tilt: 22, azimuth: 250, shaded: 0 },
  { id: 'hill-5', owner: 'Castillo', roof: 'pitched', tilt: 45, azimuth: 170, shaded: 0.05 },
  { id: 'depot-1', owner: 'Marlow Logistics', roof: 'flat', tilt: 0, azimuth: 90, shaded: 0 },
  { id: 'manor-3', owner: 'Ekström', roof: 'pitched', tilt: 35, azimuth: 90, shaded: 0 },
];

export async function findSite(id: string): Promise<Site> {
  await wait(4);
  const site = sites.find((other) => other.id === id);
  if (!site) throw Object.assign(new Error(`no site ${id}`), { status: 404 });
  return site;
}
