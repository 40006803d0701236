'use strict';
// Hides getters of `node:http` while the SDK's sources are loaded. ES modules that import `node:http` read all getters, which would load
// Node's own undici and so affect undici's tests. The packed SDK is CommonJS and reads no getter. `preload.ts` restores the getters.
const http = require('node:http');

const getters = ['WebSocket', 'CloseEvent', 'MessageEvent'].map((name) => [
  name,
  Object.getOwnPropertyDescriptor(http, name),
]);
for (const [name, descriptor] of getters) {
  if (descriptor?.configurable) Reflect.deleteProperty(http, name);
}
globalThis[Symbol.for('throughline.test.putBack')] = () => {
  for (const [name, descriptor] of getters)
    if (descriptor?.configurable) Object.defineProperty(http, name, descriptor);
};
