import type { Site } from './sites.ts';
import { yearlyYield } from './yield.ts';

const PER_PANEL = 310;
const INVERTER = 1650;
const BATTERY = 4200;
const RACK = 45;
const EURO_PER_KWH = 0.21;

function price(site: Site, panels: number, battery: boolean): number {
  const racks = site.roof === 'flat' ? panels * RACK : 0;
  return panels * PER_PANEL + INVERTER + racks + (battery ? BATTERY : 0);
}

function paybackYears(cost: number, kwh: number, battery: boolean): number {
  const savedPerYear = kwh * EURO_PER_KWH * (battery ? 1.2 : 1);
  return Number((cost / savedPerYear).toFixed(1));
}

export async function makeOffer(site: Site, panels: number, battery: boolean) {
  const kwh = await yearlyYield(site, panels);
  const cost = price(site, panels, battery);
  return { owner: site.owner, panels, cost, kwh, payback: paybackYears(cost, kwh, battery) };
}
