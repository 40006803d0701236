import Koa from 'koa';
import { declarations } from './http/declarations.mjs';
import { parseJson } from './http/parse-json.mjs';

const app = new Koa();
app.use(async (ctx, next) => {
  try {
    await next();
  } catch (err) {
    ctx.status = err.status ?? 500;
    ctx.body = { error: err.message, detail: err.detail };
  }
});
app.use(parseJson());
app.use(declarations.routes());
app.listen(process.env.PORT, '127.0.0.1');
