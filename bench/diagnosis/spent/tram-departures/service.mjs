import Koa from 'koa';
import { boards } from './boards/router.mjs';

const app = new Koa();

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { error: error.message };
  }
});
app.use(boards.routes());

app.listen(Number(process.env.PORT), '127.0.0.1');
