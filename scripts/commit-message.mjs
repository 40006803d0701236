/** The rules for commit messages, as in CONTRIBUTING.md. */

const TYPES = ['feat', 'fix', 'perf', 'refactor', 'docs', 'test', 'build', 'ci', 'revert'];
const SUBJECT = new RegExp(`^(?:${TYPES.join('|')})(?:\\([\\w,./-]+\\))?!?: \\S`);
const MAX_SUBJECT_LENGTH = 72;
/** Messages that git and code hosts generate. */
const GENERATED = /^(?:Merge |Revert "|fixup! |squash! |amend! )/;

/**
 * Returns the problems of a message. Each problem names the rule and how to follow it.
 *
 * @param {string} message the complete message; lines that begin with # are comments of the editor
 * @returns {readonly string[]}
 */
export function findProblems(message) {
  const [subject = '', second = '', ...body] = message
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trimEnd());
  if (subject === '') return ['The message is empty: write `type(scope): what changed`.'];
  if (GENERATED.test(subject)) return [];
  const problems = [];
  if (!SUBJECT.test(subject)) {
    problems.push(`The first line is not \`type(scope): what changed\`; the types are ${TYPES.join(', ')}.`);
  }
  if (subject.length > MAX_SUBJECT_LENGTH) {
    problems.push(
      `The first line has ${subject.length} characters; ${MAX_SUBJECT_LENGTH} at most. Move details into the body.`,
    );
  }
  if (subject.endsWith('.')) problems.push('The first line ends with a full stop: leave it out.');
  if (second !== '') problems.push('The second line is not empty: leave a blank line before the body.');
  if (body.every((line) => line === ''))
    problems.push('There is no body: say why, with figures where there are any.');
  return problems;
}
