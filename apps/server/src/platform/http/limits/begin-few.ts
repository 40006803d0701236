import type { FastifyInstance } from 'fastify';

/** Beginning one takes a millisecond: what it is, whose, and what it may. */
const MAX_A_TURN = 20;
const HEALTH = '/api/health/';

/**
 * Begins a few requests in each turn of the event loop. A thousand that arrive together were begun in one turn, for more than a second in which the
 * server neither answered its health check nor read what else came. Health checks wait for nobody.
 */
export function beginFewAtOnce(app: FastifyInstance, max = MAX_A_TURN): void {
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
