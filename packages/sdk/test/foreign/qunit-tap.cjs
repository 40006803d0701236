// Reports each test as TAP. Required before a test file that runs QUnit in Node.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const QUnit = createRequire(join(process.cwd(), 'package.json'))('qunitjs');
let count = 0;
QUnit.testDone(({ module, name, failed }) => {
  // On a separate line, because the indicator for slow tests prints dots without a line end.
  console.log(`\n${failed > 0 ? 'not ok' : 'ok'} ${++count} - ${module}: ${name}`);
});
