/**
 * Checks commit messages. `node scripts/check-commits.mjs main..HEAD` checks a range of commits; `--file PATH` checks the message that
 * git is about to use. Needs no network and no packages. Exits with 1 if a message breaks a rule.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findProblems } from './commit-message.mjs';

const [first = 'origin/main..HEAD', path] = process.argv.slice(2);
const messages = first === '--file' ? [readMessage(path)] : readCommits(first);
const broken = messages.flatMap(({ name, text }) =>
  findProblems(text).map((problem) => `${name}: ${problem}`),
);
for (const line of broken) console.error(line);
process.exitCode = broken.length === 0 ? 0 : 1;

/** @param {string | undefined} file */
function readMessage(file) {
  if (file === undefined) throw new Error('--file needs the path of a message');
  return { name: 'Commit message', text: readFileSync(file, 'utf8') };
}

/** @param {string} range */
function readCommits(range) {
  const log = execFileSync('git', ['log', '--no-merges', '--format=%h%n%B%x00', range], { encoding: 'utf8' });
  return log
    .split('\0')
    .map((commit) => commit.trimStart())
    .filter((commit) => commit !== '')
    .map((commit) => {
      const end = commit.indexOf('\n');
      return { name: commit.slice(0, end), text: commit.slice(end + 1) };
    });
}
