import Router from '@koa/router';
import { loadHeat } from './heats.mjs';
import { driverReport } from './report.mjs';

export const heatRouter = new Router({ prefix: '/heats' });

const list = (text) => (text ? String(text).split(',') : []);

heatRouter.get('/:heat/drivers/:kart', async (ctx) => {
  const heat = await loadHeat(ctx.params.heat);
  const kart = heat.karts.find((entry) => entry.kart === Number(ctx.params.kart));
  ctx.assert(kart, 404, 'no such kart in this heat');
  ctx.body = driverReport(heat, kart, { sections: list(ctx.query.with), viewer: ctx.get('x-member') || 'guest' });
});
