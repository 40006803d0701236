'use strict';
// An ES module that imports `node:http` reads its getters, and these load Node's own undici, which undici's tests then find. The packed SDK is
// CommonJS and reads none. `preload.ts` puts the getters back.
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
