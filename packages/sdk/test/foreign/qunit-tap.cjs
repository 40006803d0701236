// Required before a test file that runs QUnit in Node: reports each test as TAP.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const QUnit = createRequire(join(process.cwd(), 'package.json'))('qunitjs');
let count = 0;
QUnit.testDone(({ module, name, failed }) => {
  console.log(`${failed > 0 ? 'not ok' : 'ok'} ${++count} - ${module}: ${name}`);
});
