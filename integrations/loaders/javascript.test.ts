import { pickRows } from '@throughline/testkit/thorough';
import { describe } from 'vitest';
import { testShop, type WayToStart } from './shop.ts';

const auto = '@throughline/node/auto';
const initFirst = "require('@throughline/node').init();\nrequire('./app.js');\n";

describe.each<[string, WayToStart]>(
  pickRows(
    [
      ['CommonJS, --require', { fixture: 'cjs', script: 'app.js', flags: ['--require', auto] }],
      ['CommonJS, --import', { fixture: 'cjs', script: 'app.js', flags: ['--import', auto] }],
      ['ES modules, --require', { fixture: 'esm', script: 'app.js', flags: ['--require', auto] }],
      ['ES modules, --import', { fixture: 'esm', script: 'app.js', flags: ['--import', auto] }],
      [
        'CommonJS, init() on the first line of the first file',
        {
          fixture: 'cjs',
          flags: [],
          script: 'start.js',
          prepare: (project) => project.write('start.js', initFirst),
        },
      ],
      [
        'ES modules, init() on the first line of the first file',
        {
          fixture: 'esm',
          flags: [],
          script: 'start.js',
          prepare: (project) =>
            project.write(
              'start.js',
              "import { init } from '@throughline/node';\ninit();\nawait import('./app.js');\n",
            ),
        },
      ],
      [
        'an ES module that imports CommonJS that requires an ES module',
        {
          fixture: 'esm',
          script: 'main.cjs',
          prepare: (project) => project.write('main.cjs', "import('./app.js');\n"),
        },
      ],
    ],
    { usually: 3 },
  ),
)('%s', (_name, way) => testShop(way));
