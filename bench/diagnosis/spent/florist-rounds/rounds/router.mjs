import { Router } from '@koa/router';
import { randomUUID } from 'node:crypto';
import { planRound } from './plan.mjs';

function parseRound(body) {
  const stops = (body.stops ?? []).map(({ customer, bouquets = 1 }) => ({ customer, bouquets }));
  if (stops.length === 0) throw Object.assign(new Error('a round needs a stop'), { status: 400 });
  return { departs: body.departs ?? '08:00', stops };
}

export const router = new Router();

router.post('/rounds', async (ctx) => {
  const round = await planRound(parseRound(ctx.state.body));
  ctx.body = { id: randomUUID(), driver: ctx.get('x-driver'), ...round };
});
