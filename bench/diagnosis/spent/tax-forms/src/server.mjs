import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { assess, fileReturn } from './filing.mjs';
import { FilingError } from './filing-error.mjs';

const routes = {
  'POST /estimates': async (form) => [200, await assess(form)],
  'POST /returns': async (form) => [201, await fileReturn(form)],
};

async function answer(request) {
  const route = routes[`${request.method} ${request.url}`];
  if (!route) throw new FilingError(404, 'not found');
  return route(await json(request));
}

export function createTaxServer() {
  return createServer(async (request, response) => {
    const [status, body] = await answer(request).catch((error) => [
      error instanceof FilingError ? error.status : 500,
      { error: error.message },
    ]);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
}
