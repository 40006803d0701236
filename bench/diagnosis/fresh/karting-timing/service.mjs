import Koa from 'koa';
import { heatRouter } from './router.mjs';

const app = new Koa();

app.use(async (ctx, next) => {
  const started = performance.now();
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { error: error.message };
  }
  ctx.set('server-timing', `app;dur=${(performance.now() - started).toFixed(1)}`);
});
app.use(heatRouter.routes());
app.listen(Number(process.env.PORT), '127.0.0.1');
