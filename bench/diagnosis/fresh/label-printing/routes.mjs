import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import { Settings } from './config/settings.mjs';
import { render } from './labels/zpl.mjs';

const settings = new Settings();
export const router = new Router();

router.post('/stations/:station/labels', async (ctx) => {
  const { shipment, packer } = ctx.request.body;
  const profile = settings.for(ctx.params.station);
  const { zpl, size } = render(shipment, profile);
  ctx.status = 200;
  ctx.body = { job: randomUUID(), station: ctx.params.station, packer, media: profile.media, size, zpl, queuedAt: Date.now() };
});
