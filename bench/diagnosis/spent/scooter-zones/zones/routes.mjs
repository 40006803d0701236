import Router from '@koa/router';
import { weakestLevel } from '../fleet/levels.mjs';
import { findZone } from './catalogue.mjs';

export const zones = new Router({ prefix: '/zones' });

function needsSwap(zone, weakest) {
  return weakest < zone.minimum;
}

function planSwap(zone, weakest) {
  if (!needsSwap(zone, weakest)) return null;
  return {
    crew: zone.crew,
    batteries: Math.ceil(zone.scooters.length / 2),
    priority: weakest < 10 ? 'high' : 'normal',
  };
}

function headline(zone, swap) {
  return swap === null
    ? `${zone.name} is ready`
    : `${zone.name}: ${swap.crew} swaps ${swap.batteries} batteries`;
}

zones.get('/:slug/status', async (ctx) => {
  const zone = await findZone(ctx.params.slug);
  const weakest = await weakestLevel(zone.scooters);
  const swap = planSwap(zone, weakest);
  ctx.body = {
    zone: zone.name,
    scooters: zone.scooters.length,
    weakest,
    swap,
    headline: headline(zone, swap),
    checkedAt: new Date(),
  };
});
