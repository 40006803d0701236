import { expect, test } from 'vitest';
import { findStep } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service } from './service.ts';

/** Expected steps of the middlewares of `defaults.js` and `router/index.js`, in the order of the calls of `use`. */
const MIDDLEWARES = `
compression
corsMiddleware
serveStatic
middleware /
jsonParser
urlencodedParser
methodOverride
jsonParser
urlencodedParser
delay
delay`;

const getRuns = testService({
  service,
  scenario,
  flows: {
    0: `${MIDDLEWARES}
list
  Object.keys().forEach() callback
  getPage
  getFullURL
  chain.cloneDeep().forEach() callback
    embed
    expand
  chain.cloneDeep().forEach() callback
    embed
    expand
  chain.cloneDeep().forEach() callback
    embed
    expand
middleware /
  router.render`,
    1: `${MIDDLEWARES}
show
  embed
    concat().forEach() callback
  expand
middleware /
  router.render`,
    3: `${MIDDLEWARES}
create
  createId
  getFullURL
POST /
middleware /
  router.render`,
    7: `
compression
corsMiddleware
serveStatic
middleware /
jsonParser`,
  },
  errors: { 7: 'Unexpected end of JSON input' },
});

test('the step of a handler shows the request and the local variables, with the rows that the handler found', (context) => {
  const list = findStep(getRuns(context).traces[0], 'list');
  expect(list.variables).toMatchObject({
    parameters: {
      req: { class: 'IncomingMessage', properties: { method: 'GET', url: '/posts?_page=1&_limit=3' } },
    },
    localVariables: { _page: 1, _limit: 3, page: { next: 2, last: 4, items: [{ title: 'Post 1' }, {}, {}] } },
  });
});

test('the route of a request is the template of the router', (context) => {
  const { traces } = getRuns(context);
  expect(traces.slice(0, 5).map((trace) => trace?.request.route)).toEqual([
    '/posts',
    '/posts/:id',
    '/posts/:id',
    '/posts',
    '/posts/:id',
  ]);
});
