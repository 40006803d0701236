import Router from '@koa/router';
import { remember } from './levels.mjs';

export const telemetry = new Router({ prefix: '/telemetry' });

async function readBody(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}

telemetry.post('/', async (ctx) => {
  const readings = await readBody(ctx.req);
  for (const { scooter, level } of readings) remember(scooter, level);
  ctx.status = 202;
  ctx.body = { accepted: readings.length };
});
