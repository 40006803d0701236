'use strict';
// An ES module that imports `node:http` reads the module's getters, which load Node's own undici, and undici's tests
// would notice. The packed SDK is CommonJS and reads no getter. `preload.ts` restores the getters.
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
