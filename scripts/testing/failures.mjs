/**
 * Finds the failed tests in the reports of the runners. The failed tests are printed again at the end of a run, so that the last lines of
 * the output show them.
 */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../workspace.mjs';

/** Maximum number of lines of a message, so that it fits on a screen. */
const LINES = 20;

/**
 * @typedef {{ fullName: string, status: string, failureMessages: readonly string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: readonly VitestTest[] }} VitestFile
 *
 * @param {{ testResults: readonly VitestFile[] }} report
 */
export function failuresOfVitest(report) {
  return report.testResults.flatMap(({ name, ...file }) => {
    const path = relative(root, name);
    return [
      ...(file.status === 'failed' && file.assertionResults.length === 0
        ? [failure(path, file.message)]
        : []),
      ...file.assertionResults
        .filter(({ status }) => status === 'failed')
        .map((test) => failure(`${path} › ${test.fullName}`, ...test.failureMessages)),
    ];
  });
}

/**
 * @typedef {{ results: readonly { error?: { message?: string } }[] }} PlaywrightTest
 * @typedef {{ file: string, title: string, ok: boolean, tests: readonly PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ specs?: readonly PlaywrightSpec[], suites?: readonly PlaywrightSuite[] }} PlaywrightSuite
 *
 * @param {PlaywrightSuite & { errors?: readonly { message?: string }[] }} report
 * @returns {readonly string[]}
 */
export function failuresOfPlaywright({ specs = [], suites = [], errors = [] }) {
  return [
    ...errors.map(({ message }) => failure('browser', message)),
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) =>
        failure(
          `${file} › ${title}`,
          ...tests.flatMap(({ results }) => results.map(({ error }) => error?.message)),
        ),
      ),
    ...suites.flatMap(failuresOfPlaywright),
  ];
}

/**
 * Returns the names of tests that failed first and passed when they were repeated.
 *
 * @param {PlaywrightSuite} report
 * @returns {readonly string[]}
 */
export function findFlaky({ specs = [], suites = [] }) {
  return [
    ...specs
      .filter(({ ok, tests }) => ok && tests.some(({ results }) => results.length > 1))
      .map(({ file, title }) => `${file} › ${title}`),
    ...suites.flatMap(findFlaky),
  ];
}

/** @param {string} name @param {(string | undefined)[]} messages */
function failure(name, ...messages) {
  const lines = messages
    .filter((message) => message !== undefined)
    .flatMap((message) => stripVTControlCharacters(message).split('\n').slice(0, LINES));
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
}
