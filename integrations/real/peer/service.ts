import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

/** PeerJS server 1: Express 4, TypeScript in one minified ES module with a source map. */
export const service: RealService = {
  name: 'peer',
  own: ['peer'],
  script: 'peer/dist/bin/peerjs.js',
  args: (port) => ['--port', `${port}`, '--host', '127.0.0.1', '--allow_discovery'],
  volatile: [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, /^etag: .*/gim],
};

export const scenario: Scenario = {
  inTurn: [{ path: '/' }, { path: '/peerjs/id' }, { path: '/peerjs/peers' }, { path: '/none/at/all' }],
  overlapping: Array.from({ length: 100 }, (_, nth) => ({ path: `/peerjs/id?q=${buildMarker(nth)}` })),
};
