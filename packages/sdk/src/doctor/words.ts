import { type Check, type Findings, formatCount, type KnownPackage } from './findings.ts';

const listed = 20;
const marks = { ok: 'ok  ', warning: 'note', failed: 'FAIL' } as const;

export function formatFindings(findings: Findings): string {
  const { sdk, project, settings, files, packages, checks } = findings;
  const about = (...subjects: Check['about'][]) =>
    checks.filter((check) => subjects.includes(check.about)).flatMap(checkLines);
  const left = files.traced.flatMap(({ path, left: functions }) =>
    functions.map(({ name, line, reason }) => `${path}:${line} ${name}: ${reason}`),
  );
  const lines = [
    `throughline-node doctor ${sdk}`,
    '',
    `Project ${project.name}${project.version === undefined ? '' : ` ${project.version}`} in ${project.root}`,
    ...about('node', 'files'),
    ...list(files.skipped.map(({ path, reason }) => `${path}: ${reason}`)),
    ...(left.length === 0
      ? []
      : [`  note  not traced in these files: ${formatCount(left.length, 'function')}`, ...list(left)]),
    '  note  files in node_modules are libraries: their functions are not traced',
    '',
    'Frameworks and libraries',
    ...formatPackages(packages),
    '',
    'Start',
    ...about('start'),
    '',
    `Settings: service ${settings.service}, environment ${settings.environment ?? 'not set'}, capture ${settings.capture}, sample rate ${settings.sampleRate}`,
    ...about('settings'),
    '',
    'Server',
    ...about('server', 'key', 'test trace'),
    '',
    formatVerdict(checks),
  ];
  return `${lines.map(removeControlCharacters).join('\n')}\n`;
}

function checkLines({ state, says, remedy }: Check): string[] {
  return [`  ${marks[state]}  ${says}`, ...(remedy === undefined ? [] : [`        → ${remedy}`])];
}

function list(items: readonly string[]): string[] {
  const more = items.length - listed;
  return [
    ...items.slice(0, listed).map((item) => `          ${item}`),
    ...(more > 0 ? [`          and ${more} more: --json lists all`] : []),
  ];
}

function formatPackages(packages: readonly KnownPackage[]): string[] {
  if (packages.length === 0)
    return [
      '  note  the SDK knows none of the installed packages: requests to plain http servers are traced',
    ];
  return packages.map(
    ({ name, version, traced, says }) =>
      `  ${traced ? marks.ok : marks.warning}  ${name}${version === undefined ? '' : ` ${version}`}: ${says}`,
  );
}

function formatVerdict(checks: readonly Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const failed = count('failed');
  if (failed > 0) return failed === 1 ? 'One problem must be fixed.' : `${failed} problems must be fixed.`;
  return count('warning') === 0 ? 'No problems found.' : 'No problems found, but see the notes.';
}

/** Replaces control characters with spaces, because a terminal would interpret them. File names and server messages can contain them. */
function removeControlCharacters(line: string): string {
  return line.replace(/\p{C}/gu, ' ');
}
