import { expect, test } from 'vitest';
import type { CheckedStep } from '../decode/read-trace.ts';
import { ErrorPlace } from './error-place.ts';

const MESSAGE = "Cannot read properties of undefined (reading 'id')";

interface Failed {
  readonly id: string;
  readonly parent?: string;
  /** Start and end in µs. */
  readonly from: number;
  readonly until: number;
  readonly name?: string;
  readonly file?: string;
  readonly message?: string;
}

function findPlace(failed: readonly Failed[], message = MESSAGE): string[] {
  const place = new ErrorPlace(message);
  for (const {
    id,
    parent,
    from,
    until,
    name = id,
    file = 'src/orders.ts',
    message: own = MESSAGE,
  } of failed) {
    const step: CheckedStep = {
      step: {
        stepId: id,
        parentStepId: parent,
        stepName: id,
        stepType: 'function',
        startTime: '',
        duration: (until - from) / 1000,
      },
      startMicros: BigInt(from),
      endMicros: undefined,
    };
    place.note(step, own, { functionName: name, filePath: file, type: 'TypeError' });
  }
  return place.write().split('\n');
}

const place = (name: string, file = 'src/orders.ts') => ['TypeError', name, file];
const UNKNOWN = [''];

test('the function that threw is the innermost function that the error left, even if the function took no time', () => {
  const failed = [
    { id: 'handler', from: 0, until: 10 },
    { id: 'load', parent: 'handler', from: 5, until: 10 },
    { id: 'parse', parent: 'load', from: 10, until: 10 },
  ];
  expect(findPlace(failed)).toEqual(place('parse'));
  expect(findPlace(failed.toReversed())).toEqual(place('parse'));
});

test('a function that received the error later and threw it again is not the function that threw', () => {
  const failed = [
    { id: 'handler', from: 0, until: 20 },
    { id: 'load', parent: 'handler', from: 1, until: 10 },
    { id: 'report', parent: 'handler', from: 11, until: 15 },
  ];
  expect(findPlace(failed)).toEqual(place('load'));
});

test('if two concurrent functions of a request failed with the same message, the function that failed first counts as the one that threw', () => {
  const failed = [
    { id: 'slow', from: 0, until: 20 },
    { id: 'quick', from: 1, until: 10 },
  ];
  expect(findPlace(failed)).toEqual(place('quick'));
});

test('an error that wraps another error was thrown where it was wrapped', () => {
  const failed = [
    { id: 'handler', from: 0, until: 20 },
    { id: 'wrap', parent: 'handler', from: 1, until: 12 },
    { id: 'query', parent: 'wrap', from: 2, until: 10, message: 'connection refused' },
  ];
  expect(findPlace(failed)).toEqual(place('wrap'));
});

test("an error thrown by a library is attributed to the function of the service's own code that called the library", () => {
  const failed = [
    { id: 'save', from: 0, until: 20 },
    { id: 'query', parent: 'save', from: 2, until: 10, name: '', file: '' },
    { id: 'SELECT', parent: 'query', from: 3, until: 9, name: 'execute', file: '' },
  ];
  expect(findPlace(failed)).toEqual(place('save'));
  expect(findPlace(failed.slice(1))).toEqual(place('execute', ''));
});

test.each([
  ['no step failed with the message', [{ id: 'audit', from: 0, until: 1, message: 'other' }], MESSAGE],
  ['the request has no message', [{ id: 'audit', from: 0, until: 1, message: '' }], ''],
  ['the steps have no function', [{ id: 'a', from: 0, until: 1, name: '', file: '' }], MESSAGE],
  [
    'the steps are their own parents',
    [
      { id: 'load', parent: 'save', from: 0, until: 1 },
      { id: 'save', parent: 'load', from: 0, until: 1 },
    ],
    MESSAGE,
  ],
  ['the name has two characters, as a minified name', [{ id: 'tx', from: 0, until: 1 }], MESSAGE],
])('the function is unknown if %s', (_why, failed, message) => {
  expect(findPlace(failed, message)).toEqual(UNKNOWN);
});

test('the function that threw is found even if the steps above it form a cycle', () => {
  const failed = [
    { id: 'load', parent: 'save', from: 0, until: 9, file: '' },
    { id: 'save', parent: 'load', from: 0, until: 9, file: '' },
    { id: 'parse', parent: 'load', from: 1, until: 8, file: '' },
  ];
  expect(findPlace(failed)).toEqual(place('parse', ''));
});

test.each([
  ['dist/index-3fa9bc12.js', 'dist/index-….js'],
  ['dist/chunk-5QJHWR2M.js', 'dist/chunk-….js'],
  ['releases/20261129101500/src/a.ts', 'releases/…/src/a.ts'],
  ['.next/server/chunks/ssr/0a1b2c3d.js', '.next/server/chunks/ssr/….js'],
  ['dist/pay-BxQkzWpT.js', 'dist/pay-….js'],
  ['dist/index-DkXyZabC.js', 'dist/index-….js'],
  ['dist/index-Dk-yZabC.js', 'dist/index-….js'],
  ['dist/main.BxQkzWpT.js', 'dist/main.….js'],
  ['dist/chunk-VWXYABCD.js', 'dist/chunk-….js'],
  ['/srv/releases/v1.4.2/src/a.js', '/srv/releases/…/src/a.js'],
  ['/srv/releases/000042/src/a.js', '/srv/releases/…/src/a.js'],
  ['/srv/builds/main-9fc2d1e/src/a.js', '/srv/builds/…/src/a.js'],
  ['/srv/app/releases/20261129/src/a.js', '/srv/app/releases/…/src/a.js'],
  ['/srv/app/releases/42/src/a.js', '/srv/app/releases/…/src/a.js'],
  ['src/api/versions/2/create.js', 'src/api/versions/2/create.js'],
  ['src/api/releases/v1/create.js', 'src/api/releases/v1/create.js'],
  ['modules/builds/s3/copy.js', 'modules/builds/s3/copy.js'],
  ['modules/builds/ftp2/copy.js', 'modules/builds/ftp2/copy.js'],
  ['src/x-UserApiA.js', 'src/x-UserApiA.js'],
  ['dist/a-UserById.ts', 'dist/a-UserById.ts'],
  ['src/a-AuthByIP.ts', 'src/a-AuthByIP.ts'],
  ['src/a-SignInUp.ts', 'src/a-SignInUp.ts'],
  ['/srv/shop-1.4.2-rc.1/src/a.js', '/srv/shop-…/src/a.js'],
  ['/srv/2026-11-29T10-15-00/src/a.js', '/srv/…/src/a.js'],
  ['src\\orders\\load.ts', 'src/orders/load.ts'],
  ['src/api/v1/orders.ts', 'src/api/v1/orders.ts'],
  ['src/releases/load.ts', 'src/releases/load.ts'],
  ['src/user-Settings.ts', 'src/user-Settings.ts'],
  ['src/orders.TaxRates.ts', 'src/orders.TaxRates.ts'],
  ['src/order-services.ts', 'src/order-services.ts'],
  ['src/orders2024.ts', 'src/orders2024.ts'],
  ['src/OrdersV2.ts', 'src/OrdersV2.ts'],
  ['src/routes/[id].ts', 'src/routes/[id].ts'],
])('the file %s is stored as %s, which is the same in the next release', (file, stored) => {
  expect(findPlace([{ id: 'load', from: 0, until: 1, file }])).toEqual(place('load', stored));
});

test('long names are cut, and a line feed in a name does not begin another field', () => {
  const [, name, file, ...others] = findPlace([
    { id: 'a', from: 0, until: 1, name: 'x\ny'.repeat(200), file: 'f'.repeat(1000) },
  ]);
  expect(others).toEqual([]);
  expect([name?.length, file?.length]).toEqual([200, 300]);
});
