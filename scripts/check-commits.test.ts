import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProblems } from './commit-message.mjs';

const script = join(import.meta.dirname, 'check-commits.mjs');

function run(cwd: string, ...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });
  return { status, stderr };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.each([
  'fix(sdk): keep the order of awaited steps\n\nA step ended too early.\n',
  'feat!: drop Node 18\n\nIt has no maintained release.',
  'docs(performance,scaling): lead with the answer\n\nReaders had to search.\n# a comment of the editor\n',
  'Merge branch "a" into main',
])('the message %j is accepted', (message) => {
  expect(findProblems(message)).toEqual([]);
});

test.each([
  ['', 'is empty'],
  ['# only a comment\n', 'is empty'],
  ['Fixed it\n\nBecause.', 'type(scope)'],
  ['chores: tidy up\n\nBecause.', 'type(scope)'],
  ['fix:no space\n\nBecause.', 'type(scope)'],
  [`fix: ${'é'.repeat(68)}\n\nBecause.`, '73 characters'],
  ['fix: end here.\n\nBecause.', 'full stop'],
  ['fix: a body at once\nBecause.\nYes.', 'blank line'],
  ['fix: no reason given\n\n', 'no body'],
])('the message %j is rejected with the rule that it breaks', (message, rule) => {
  expect(findProblems(message).join('\n')).toContain(rule);
});

test('the commits of a range that break a rule are listed', () => {
  const folder = makeFolder();
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder });
  git('init', '--quiet', '--initial-branch=main');
  for (const message of ['first', 'fix: keep it\n\nBecause.', 'broken things']) {
    git('commit', '--quiet', '--allow-empty', '-m', message);
  }
  expect(run(folder, 'HEAD~2..HEAD~1')).toEqual({ status: 0, stderr: '' });
  const { status, stderr } = run(folder, 'HEAD~2..HEAD');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^[0-9a-f]{7,}: The first line is not/);
});

test('the message that git is about to use is checked', () => {
  const file = join(makeFolder(), 'COMMIT_EDITMSG');
  writeFileSync(file, 'wip\n');
  expect(run('.', '--file', file).status).toBe(1);
  writeFileSync(file, 'test: say what a range refuses\n\nNobody had tried it.\n');
  expect(run('.', '--file', file).status).toBe(0);
});
