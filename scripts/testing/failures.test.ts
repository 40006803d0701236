import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../workspace.mjs';
import { failuresOfPlaywright, failuresOfVitest, findFlaky } from './failures.mjs';

test('failed vitest tests are listed with their errors, and so are test files that could not be loaded', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
  expect(
    failuresOfVitest({
      testResults: [
        {
          name: join(root, 'a.test.ts'),
          status: 'failed',
          assertionResults: [
            {
              fullName: 'adds up',
              status: 'failed',
              failureMessages: [`\u001b[31m2 is not 3\u001b[0m\n${lines}`],
            },
            { fullName: 'is there', status: 'passed', failureMessages: [] },
          ],
        },
        { name: join(root, 'b.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
        { name: join(root, 'c.test.ts'), status: 'passed', assertionResults: [] },
      ],
    }).map((failure) => failure.split('\n')),
  ).toEqual([
    [
      'a.test.ts › adds up',
      '    2 is not 3',
      ...Array.from({ length: 19 }, (_, index) => `    line ${index}`),
    ],
    ['b.test.ts', '    no such module'],
  ]);
});

test('failed browser tests are listed with the error of each attempt, at any depth of describe blocks', () => {
  const failed = {
    file: 'login.spec.ts',
    title: 'logs in',
    ok: false,
    tests: [{ results: [{ error: { message: 'no button' } }, { error: { message: 'no field' } }] }],
  };
  const passed = { ...failed, title: 'logs out', ok: true };
  expect(
    failuresOfPlaywright({
      errors: [{ message: 'no such folder' }],
      suites: [{ specs: [passed], suites: [{ specs: [failed] }] }],
    }),
  ).toEqual(['browser\n    no such folder', 'login.spec.ts › logs in\n    no button\n    no field']);
});

test('a browser test that passed only at a retry is listed', () => {
  const spec = { file: 'login.spec.ts', ok: true, tests: [{ results: [{}] }] };
  const flaky = {
    ...spec,
    title: 'logs in',
    tests: [{ results: [{ error: { message: 'no button' } }, {}] }],
  };
  expect(findFlaky({ suites: [{ specs: [{ ...spec, title: 'logs out' }, flaky] }] })).toEqual([
    'login.spec.ts › logs in',
  ]);
});
