/**
 * bench:insights: measures how many planted problems the product finds without a user's help, and how often it raises false alarms.
 *
 * Recipe. Each project has fourteen days of 450 to 800 requests a day, up to now, with the behaviour of real services (`habits.ts`). Each
 * kind of problem (`problems/`) is planted in `--seeds` projects, and so is each harmless habit (`harmless.ts`); `--healthy` further
 * projects have neither a problem nor a habit. The requests are sent to the real server and rolled up, and insights are requested as the
 * dashboard first does: default range, no filter. A problem counts as found if a finding names the problem's endpoint, error or group of
 * requests, and the finding starts near the start of the problem. Every finding in a project without a problem is a false alarm; each such
 * project is one project-week. Change the planted problems and the harmless habits without looking at the detection rules: otherwise the
 * results prove nothing.
 *
 *   npm run bench:insights [-- --quick] [-- --kinds a,b] [-- --seeds N] [-- --first N] [-- --healthy N] [-- --show] [-- --json FILE]
 *
 * Fifty seeds of each kind and fifty healthy projects take several hours. `--first N` begins with seed N instead of seed 1, so that a long
 * run can be divided. `--quick` uses two seeds and ten healthy projects; `--show` prints the findings of missed problems and of healthy
 * projects.
 */
import { parseArgs } from 'node:util';
import { type Figure, figure, report } from '../lib/figures.ts';
import { makeProject, type Project } from './habits.ts';
import { HARMLESS } from './harmless.ts';
import { countFalseAlarms, type Finding, judgeFindings, type Verdict } from './oracle.ts';
import type { Change, Truth } from './problem.ts';
import { PROBLEMS } from './problems/index.ts';
import { forkRandom } from './random.ts';
import { generateRequests } from './requests.ts';
import { type Answer, readFindings, type Stored } from './store-projects.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    kinds: { type: 'string' },
    seeds: { type: 'string' },
    first: { type: 'string', default: '1' },
    healthy: { type: 'string' },
    show: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const allKinds = [...Object.keys(PROBLEMS), ...Object.keys(HARMLESS)];
const kinds = options.kinds?.split(',') ?? allKinds;
const seeds = Number(options.seeds ?? (options.quick ? 2 : 50));
const first = Number(options.first);
if (!Number.isInteger(first) || first < 1)
  throw new Error(`--first takes a whole number from 1; not ${options.first}`);
const healthy = Number(options.healthy ?? seeds * (options.quick ? 5 : 1));
/**
 * The first seeds of healthy projects and of projects with a harmless habit. These seeds differ from all seeds of projects with a problem.
 */
const HEALTHY_SEED = 100_000;
const HARMLESS_SEED = 200_000;
/** Number of projects per server. With more, the data folder becomes large; with fewer, starting servers takes most of the time. */
const AT_ONCE = 18;

interface Planned extends Stored {
  readonly kind: string;
  /** Null if the project has no planted problem. */
  readonly truth: Truth | null;
}

interface Judged {
  readonly kind: string;
  readonly verdict: Verdict;
  readonly seconds: number;
}

type FalseAlarms = ReturnType<typeof countFalseAlarms> & { readonly kind: string };

const planned = [
  ...kinds.flatMap((kind) => Array.from({ length: seeds }, (_seed, index) => plant(kind, first + index))),
  ...Array.from({ length: healthy }, (_project, index) => planHealthy(first - 1 + index)),
];
const judged: Judged[] = [];
const alarms: FalseAlarms[] = [];
for (let from = 0; from < planned.length; from += AT_ONCE) {
  const some = planned.slice(from, from + AT_ONCE);
  const answers = await readFindings(some);
  for (const [index, answer] of answers.entries()) judge(some[index], answer);
  process.stderr.write(`${from + some.length} of ${planned.length} projects\n`);
}
for (const kind of kinds) if (kind in PROBLEMS) printKind(kind);
for (const kind of [...kinds.filter((one) => one in HARMLESS), 'healthy']) printAlarms(kind);
await report('insights', makeFigures(), options.json === undefined ? [] : ['--json', options.json]);

function plant(kind: string, seed: number): Planned {
  const makeHarmless = HARMLESS[kind];
  if (makeHarmless !== undefined) {
    const position = Object.keys(HARMLESS).indexOf(kind);
    const project = makeProject(HARMLESS_SEED + seed * 1000 + position, Date.now());
    return planProject(project, kind, makeHarmless(project, forkRandom(project.seed, kind)));
  }
  const makeProblem = PROBLEMS[kind];
  if (makeProblem === undefined) throw new Error(`${kind} is none of ${allKinds.join(', ')}`);
  const project = makeProject(seed * 1000 + Object.keys(PROBLEMS).indexOf(kind), Date.now());
  const problem = makeProblem(project, forkRandom(project.seed, kind));
  return { ...planProject(project, kind, problem), truth: problem.truth };
}

function planHealthy(index: number): Planned {
  return planProject(makeProject(HEALTHY_SEED + index, Date.now()), 'healthy', {});
}

function planProject(project: Project, kind: string, change: Change): Planned {
  const requests = () => generateRequests(project, change);
  return { kind, project, truth: null, requests, otlp: change.otlp };
}

function judge(plan: Planned | undefined, { findings, seconds }: Answer): void {
  if (plan === undefined) throw new Error('more answers than projects');
  const { kind, truth } = plan;
  if (truth === null) {
    alarms.push({ kind, ...countFalseAlarms(findings) });
    if (options.show) print(kind, findings);
    return;
  }
  const verdict = judgeFindings(truth, findings);
  judged.push({ kind, verdict, seconds });
  const { method = '', path = '' } = truth.endpoints[0] ?? {};
  if (options.show && !verdict.found)
    print(`${kind} ${method} ${path} since ${new Date(truth.startMs).toISOString()}, missed`, findings);
}

function print(of: string, findings: readonly Finding[]): void {
  const lines = findings.map(
    ({ severity, kind, title, since }) => `    ${severity} ${kind}, ${since}: ${title}\n`,
  );
  process.stdout.write(`  ${of}: ${findings.length} findings\n${lines.join('')}`);
}

function printKind(kind: string): void {
  const all = judged.filter((one) => one.kind === kind);
  const errors = all.flatMap(({ verdict }) => verdict.startErrorHours ?? []).sort((a, b) => a - b);
  const found = `${errors.length}/${all.length}`.padStart(6);
  const median = errors[Math.floor((errors.length - 1) / 2)];
  const start = (median === undefined ? '–' : `${median.toFixed(1)} h`).padStart(8);
  const others = (sum(all.map(({ verdict }) => verdict.others)) / all.length).toFixed(1);
  const seconds = (sum(all.map((one) => one.seconds)) / all.length).toFixed(1);
  process.stdout.write(
    `${kind.padEnd(20)} found ${found}, start off by ${start} at the median, ${others} other findings and ${seconds} s a project\n`,
  );
}

function printAlarms(kind: string): void {
  const all = alarms.filter((one) => one.kind === kind);
  process.stdout.write(
    `${kind.padEnd(20)} ${all.length} project-weeks: ${sum(all.map(({ high }) => high))} findings of high severity, ${sum(all.map(({ any }) => any))} of any\n`,
  );
}

function makeFigures(): Figure[] {
  const errors = judged.flatMap(({ verdict }) => verdict.startErrorHours ?? []);
  const share = (judged.filter(({ verdict }) => verdict.found).length / judged.length) * 100;
  const rate = (count: (alarm: { readonly any: number; readonly high: number }) => number) =>
    (sum(alarms.map(count)) / alarms.length) * 50;
  return [
    ...(judged.length === 0
      ? []
      : [figure('planted problems found in the default view', '%', [share], '>= 90')]),
    ...(errors.length === 0 ? [] : [figure('start, error', 'h', errors, '<= 1')]),
    ...(alarms.length === 0
      ? []
      : [
          figure('false alarms in 50 healthy project-weeks', 'findings', [rate(({ any }) => any)], '<= 1'),
          figure(
            'false alarms of high severity in 50 healthy project-weeks',
            'findings',
            [rate(({ high }) => high)],
            '<= 1',
          ),
        ]),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
