/**
 * bench:diagnosis: measures how close to the cause of a bug a developer is after opening the failed request, in real Chromium.
 *
 * Recipe. Small services in `bugs/`, each with one planted bug, run with the packed SDK's `--import` and send to a real server. After
 * successful requests, the failing request is sent. Measured for each bug: if the call of the faulty function is selected when the request
 * opens; if the wrong value is visible with its name; if the first sentence of the comparison with a successful request contains the wrong
 * value; and the number of clicks from the list to the wrong value (the request's row, then *Compare*, then the faulty function). For a
 * slow request, the value is the function's name with its time or number of calls.
 *
 * `--held-out` measures the services in `held-out/` instead, and `--fresh` and `--spent` those in `fresh/` and `spent/`, which are newer
 * and larger. Their authors did not know how causes are found. The rules were later improved with the misses of these three sets, so their
 * results are better than those for bugs in other programs.
 * `--unseen` measures the services in `unseen/`. Nobody has read them to improve the rules, so their results show what to expect.
 *
 *   npm run build && npm run bench:diagnosis [-- --held-out | --fresh | --spent | --unseen] [-- NAME …] [-- --json FILE]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, routes } from '@throughline/contract';
import { figure, report } from '../lib/figures.ts';
import { startServerProcess } from '../lib/server-process.ts';
import { checkBuilt, launchChromium, openPage } from '../ui/page.ts';
import { BUG_SETS, type BugSet, type NamedBug, readBugs, type Sent } from './bug.ts';
import { provoke } from './buggy-service.ts';
import { type Observed, observe, saysValue } from './observe.ts';

const STORED_WITHIN_MS = 60_000;
/** Number of clicks that is recorded if the cause was not found. */
const NOT_FOUND_CLICKS = 9;
const args = process.argv.slice(2);
const SET = BUG_SETS.find((set) => args.includes(`--${set}`)) ?? 'bugs';
const TITLES: Record<BugSet, string> = {
  bugs: 'diagnosis',
  'held-out': 'diagnosis of held-out bugs',
  fresh: 'diagnosis of fresh bugs',
  spent: 'diagnosis of spent bugs',
  unseen: 'diagnosis of unseen bugs',
};
const wanted = args.filter((arg, at) => !arg.startsWith('--') && args[at - 1] !== '--json');

interface Result extends Observed {
  readonly bug: NamedBug;
  /** True if the first sentence of the comparison contains the wrong value. */
  readonly first: boolean;
  readonly said: string;
}

checkBuilt();
const browser = await launchChromium();
const server = await startServerProcess();
const results: Result[] = [];
try {
  for (const bug of readBugs(SET)) {
    if (wanted.length === 0 || wanted.includes(bug.name)) results.push(await measure(bug));
  }
} finally {
  await browser.close();
  await server.removeFolder();
}
for (const { bug, selected, selectedStep, shown, first, clicks, said } of results) {
  const marks = [selected, shown, first].map((is) => (is ? 'yes' : 'no ')).join('  ');
  process.stdout.write(
    `${bug.name.padEnd(32)} ${bug.symptom.padEnd(6)} ${marks}  ${clicks ?? '-'}  ${said}\n    selected: ${selectedStep}\n`,
  );
}
const count = (is: (result: Result) => boolean) => [results.filter(is).length];
const clicks = results.map((result) => result.clicks ?? NOT_FOUND_CLICKS);
const atLeast = (share: number) => `>= ${Math.ceil(results.length * share)}`;
await report(
  TITLES[SET],
  [
    figure(
      'faulty call selected when the request opens',
      `of ${results.length}`,
      count(({ selected }) => selected),
      atLeast(0.9),
    ),
    figure(
      'wrong value in view when the request opens',
      `of ${results.length}`,
      count(({ shown }) => shown),
      atLeast(0.9),
    ),
    figure(
      'wrong value in the first sentence of the comparison',
      `of ${results.length}`,
      count(({ first }) => first),
      atLeast(0.8),
    ),
    figure('clicks from the list to the wrong value', 'clicks', clicks, '<= 2'),
  ],
  args,
);

async function measure(bug: NamedBug): Promise<Result> {
  const client = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  const { project } = await client.call(routes.projects.create, { body: { name: bug.name } });
  const { apiKey } = await client.call(routes.projects.apiKey, { params: { id: project.id } });
  const sent = await provoke(bug, { url: server.url, apiKey });
  const find = async (traceId: string, { method, path }: Sent): Promise<string> => {
    const until = performance.now() + STORED_WITHIN_MS;
    while (performance.now() < until) {
      const { traces } = await client.call(routes.traces.list, {
        query: { projectId: project.id, search: traceId, limit: 50 },
      });
      // If a service calls itself, a trace contains several requests.
      const row = traces.find(
        ({ request }) => request.method === method && withoutQuery(request.path) === withoutQuery(path),
      );
      if (row !== undefined) return row._id;
      await wait(100);
    }
    throw new Error(`${bug.name}: the trace ${traceId} was not stored`);
  };
  const ids = {
    failing: await find(sent.failing, bug.failing),
    passing: await find(sent.passing, bug.passing),
  };
  const { comparison } = await client.call(routes.traces.compare, {
    params: { id: ids.failing },
    query: { with: 'good' },
  });
  const said = comparison?.statements[0]?.text ?? '';
  const first = bug.symptom === 'slow' ? said.includes(bug.cause.function) : saysValue(said, bug.cause);
  const opened = await openPage(browser, server.url, server.token);
  try {
    // Without the parameter, the list shows the project that was selected last.
    await opened.page.goto(`/dashboard?project=${project.id}`);
    await opened.page.locator(`[data-row="${ids.failing}"]`).waitFor();
    return { bug, first, said, ...(await observe(opened.page, bug, ids)) };
  } finally {
    await opened.close();
  }
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*/, '');
}
