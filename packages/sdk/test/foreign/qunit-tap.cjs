// Required before a test file that runs QUnit in Node: reports each test as TAP.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const QUnit = createRequire(join(process.cwd(), 'package.json'))('qunitjs');
let count = 0;
QUnit.testDone(({ module, name, failed }) => {
  // On a line of its own: what waits for slow tests prints dots without an end.
  console.log(`\n${failed > 0 ? 'not ok' : 'ok'} ${++count} - ${module}: ${name}`);
});
