import Koa from 'koa';
import { telemetry } from './fleet/telemetry-routes.mjs';
import { zones } from './zones/routes.mjs';

const app = new Koa();
app.use(async (ctx, next) => {
  ctx.set('x-request-id', crypto.randomUUID());
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { error: error.message };
  }
});
app.use(telemetry.routes());
app.use(zones.routes());
app.listen(Number(process.env.PORT), '127.0.0.1');
