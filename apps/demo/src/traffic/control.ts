import { ignore } from '@throughline/node';
import { type RequestHandler, Router } from 'express';
import { readFields, readInteger, readText } from '../input.ts';
import { Refusal } from '../refusal.ts';
import type { TrafficMaker } from './maker.ts';
import { type Destination, startTracedCopy } from './traced-copy.ts';

const MAX_REQUESTS = 200;

/**
 * `POST /__traffic {requests?, url?, apiKey?}`, only from this machine: sends a burst of requests for users,
 * posts and health. With `url` and `apiKey`, a traced copy of the shop handles the requests and sends its traces
 * to that URL. Responds with 202 and `{requests}` after all requests are handled and the copy has sent its traces.
 */
export function createTrafficControl(traffic: TrafficMaker, ownUrl: () => string): Router {
  const routes = Router();
  let copying: Promise<unknown> = Promise.resolve();
  routes.post('/__traffic', leaveOut, fromHereOnly, async (request, response) => {
    const requests = readInteger(readFields(request.body).requests, 'requests', {
      min: 1,
      max: MAX_REQUESTS,
      fallback: 20,
    });
    const destination = readDestination(request.body);
    if (destination === undefined) {
      response.status(202).json({ requests: await traffic.burst(ownUrl(), requests) });
      return;
    }
    // Runs only one copy of the shop at a time, because each copy is a complete shop with its own database.
    const turn = copying.then(() => sendBurstAtCopy(traffic, destination, requests));
    copying = turn.catch(() => undefined);
    response.status(202).json({ requests: await turn });
  });
  return routes;
}

async function sendBurstAtCopy(
  traffic: TrafficMaker,
  destination: Destination,
  requests: number,
): Promise<number> {
  const copy = await startTracedCopy(destination);
  try {
    return await traffic.burst(copy.url, requests);
  } finally {
    await copy.stop();
  }
}

function readDestination(body: unknown): Destination | undefined {
  const { url, apiKey } = readFields(body);
  if (url === undefined && apiKey === undefined) return undefined;
  const destination = { url: readText(url, 'url', 2000), apiKey: readText(apiKey, 'apiKey') };
  if (!/^https?:$/.test(URL.parse(destination.url)?.protocol ?? '')) {
    throw new Refusal(400, 'url must be an http or https address');
  }
  return destination;
}

/** Excludes this route from the traces: the route is not part of the shop, and would be the slowest request. */
const leaveOut: RequestHandler = (_request, _response, next) => {
  ignore();
  next();
};

/**
 * Accepts only requests from this machine. Requires JSON, so that web pages cannot send such a request: the browser's preflight request
 * fails.
 */
const fromHereOnly: RequestHandler = (request, _response, next) => {
  const from = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (from !== '::1' && !from.startsWith('127.')) throw new Refusal(403, 'Only from this machine');
  if (request.is('application/json') === false) throw new Refusal(415, 'Send JSON');
  next();
};
