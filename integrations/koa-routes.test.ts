import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';

describe.each(pickRows(['koa-router7', '@koa/router'], { usually: 1 }))('%s', (router) => {
  const collector = new Collector();
  let app: App;
  let url: string;

  beforeAll(async () => {
    app = new App('koa-routes/app.cjs', {
      collector: await collector.start(),
      env: { ROUTER: router },
    });
    url = await app.ready();
  });
  afterAll(async () => {
    await app.stop();
    await collector.stop();
  });

  // In koa-router 7, `ctx._matchedRoute` is the last matching route, even if the handler of another route responded.
  test.each([
    ['/api/articles/feed', '/api/articles/feed'],
    ['/api/articles/tea', '/api/articles/:slug'],
    ['/api/articles/elsewhere', '/api/articles/:name'],
    ['/api/articles/tea/comments', '/api/articles/:slug/comments'],
  ])('the route of %s is the route of the handler that responded: %s', async (path, route) => {
    expect((await fetch(url + path)).status).toBe(200);
    const { request } = await collector.trace(path);
    expect(request.route).toBe(route);
  });
});
