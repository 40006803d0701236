// Runs Acorn's parser tests in the checkout in the working directory, and reports each test as TAP.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(process.cwd(), 'test');
const { runTests } = require(join(folder, 'driver.js'));
for (const file of readdirSync(folder).filter((name) => name.startsWith('tests')))
  require(join(folder, file));
const { parse } = require(join(process.cwd(), 'acorn'));

let count = 0;
runTests({ parse }, (state, code) => {
  console.log(`${state === 'ok' ? 'ok' : 'not ok'} ${++count} - ${JSON.stringify(code)}`);
});
