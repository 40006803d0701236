import type { FastifyInstance } from 'fastify';

/**
 * Maximum number of requests started per turn of the event loop. Starting one request takes a millisecond: parsing, session and permission.
 */
const MAX_A_TURN = 20;
const HEALTH = '/api/health/';

/**
 * Starts only a few requests per turn of the event loop; health checks never wait. Without this limit, a thousand requests that arrived
 * together were all started in one turn, and for over a second the server neither answered its health check nor read other sockets.
 */
export function startFewAtOnce(app: FastifyInstance, max = MAX_A_TURN): void {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const endTurn = () => {
    begun = 0;
    for (const begin of waiting.splice(0, max)) {
      begun += 1;
      begin();
    }
    if (begun > 0) setImmediate(endTurn);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.startsWith(HEALTH)) return done();
    if (begun >= max) {
      waiting.push(done);
      return;
    }
    if (begun === 0) setImmediate(endTurn);
    begun += 1;
    done();
  });
}
