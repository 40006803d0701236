const Koa = require('koa');
const Router = require('@koa/router').default ?? require('@koa/router');
const { search } = require('./search.cjs');

function logger(entries) {
  return async (ctx, next) => {
    const begun = Date.now();
    await next();
    entries.push({ path: ctx.path, status: ctx.status, ms: Date.now() - begun });
  };
}

async function problems(ctx, next) {
  try {
    await next();
  } catch (error) {
    ctx.status = error.expose ? error.status : 500;
    ctx.body = { error: error.message };
  }
}

exports.start = (port) => {
  const router = new Router();
  router.get('/registers/:parish/:surname', async (ctx) => {
    const { parish, surname } = ctx.params;
    ctx.body = await search(parish, surname, ctx.query);
  });

  const app = new Koa();
  app.use(logger([]));
  app.use(problems);
  app.use(router.routes());
  app.listen(port, '127.0.0.1');
};
