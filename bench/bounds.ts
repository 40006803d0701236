/**
 * bench:bounds: what the most hostile input does to the server and to others on it.
 *
 * Recipe. The real server runs in a process of its own on an empty folder. Each form (see `bounds/forms`) is the worst of some kind that one valid
 * sender can do: a few hundred bytes that unpack to 31 million empty spans, 60 MB of line ends, 1,150 live streams. It is sent alone, and 50 times
 * at once, by an account of its own. Another process asks `/api/health/live` every 50 ms, samples the server's memory, and sends two small traces
 * of another project every 150 ms, whether or not the ones before were answered. A form is over when all senders have their answers and the server
 * is at rest again, or its time is up. Ratios are to the same small requests just before. `(CPU)` is what the server's main thread computed during
 * the longest silence, and `(idle)` the longest silence of a server that does nothing else: what a busy machine adds. A server that ended, took too
 * much memory or is still at work is replaced; whatever the other project's senders were told is stored is counted before. A form that ends the
 * server, or keeps it at work for longer than it may, is not tried 50 times; one that misses a bound of time by little is tried three times, and the
 * median counts. Where the server takes 3 GB, it is ended. `--quick` tries every second form, 50 times at once only.
 *
 *   npm run bench:bounds [-- --quick] [-- --only=TEXT] [-- --limit=SECONDS] [-- --json FILE]
 *
 * `--only` tries the forms whose way in or name has the text; `--limit` is the processor time that a form has.
 */
import { parseArgs } from 'node:util';
import type { HostileForm, Send } from './bounds/form.ts';
import { HOSTILE_FORMS } from './bounds/hostile-forms.ts';
import { formatLine, HEADING } from './bounds/table.ts';
import { type Tried, tryForm } from './bounds/try-form.ts';
import { combine, formFigures, isDoubtful, listFigures } from './bounds/verdict.ts';
import { startVictim, type Victim } from './bounds/watch/victim.ts';
import { startWatch } from './bounds/watch/watch.ts';
import { report } from './lib/figures.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '20' },
    json: { type: 'string' },
  },
});
const limitMs = Number(options.limit) * 1000;
if (!(limitMs > 0)) throw new Error('--limit is a number of seconds');
const forms = HOSTILE_FORMS.filter(({ way, name }) => `${way}, ${name}`.includes(options.only)).filter(
  (_form, index) => !options.quick || index % 2 === 0,
);
if (forms.length === 0) throw new Error(`no form has ${JSON.stringify(options.only)} in its name`);

const AT_ONCE = 50;
/** A server with more than this at rest is replaced: the next form's memory is its own. */
const MAX_RESTING_BYTES = 1e9;

const TRIES_WHERE_DOUBTFUL = 3;

const watch = await startWatch();
let victim: Victim | undefined;
const usualMs: number[] = [];
const tried: Tried[] = [];
let acknowledged = 0;
let lost = 0;

async function runningVictim(): Promise<Victim> {
  if (victim === undefined) {
    victim = await startVictim();
    watch.watch({ url: victim.url, pid: victim.pid, apiKey: victim.otherKey });
  }
  return victim;
}

/** Counts what the other project was told is stored, and ends the server. */
async function replaceVictim(ended: Victim): Promise<void> {
  const { acknowledged: told } = await watch.report();
  watch.rest();
  victim = undefined;
  acknowledged += told;
  try {
    const stored = await countAfter(ended);
    lost += Math.max(0, told - stored);
  } finally {
    await ended.remove();
  }
}

/** By the API: of the running server, or, where it ended or does not answer, of one that was started again on its folder. */
async function countAfter(ended: Victim): Promise<number> {
  if (ended.ended() === undefined) {
    const counted = await ended.countOthers().catch(() => undefined);
    if (counted !== undefined) return counted;
  }
  await ended.restart();
  return ended.countOthers();
}

async function tryOnce(form: HostileForm, send: Send, senders: number): Promise<Tried> {
  const running = await runningVictim();
  const one = await tryForm({ victim: running, watch, usualMs, limitMs }, form, send, senders);
  process.stdout.write(`${formatLine(one)}\n`);
  if (one.died !== undefined || one.stillBusy || one.peakBytes > MAX_RESTING_BYTES)
    await replaceVictim(running);
  return one;
}

async function tryEnough(form: HostileForm, send: Send, senders: number): Promise<Tried> {
  const first = await tryOnce(form, send, senders);
  const tries: [Tried, ...Tried[]] = [first];
  while (isDoubtful(combine(tries)) && tries.length < TRIES_WHERE_DOUBTFUL)
    tries.push(await tryOnce(form, send, senders));
  const all = combine(tries);
  tried.push(all);
  return all;
}

/** True where the server survived the form and came to rest: only then many at once say more than one did. */
function isOver({ died, stillBusy, unanswered }: Tried): boolean {
  return died === undefined && !stillBusy && unanswered === 0;
}

process.stdout.write(`${HEADING}\n`);
const began = performance.now();
for (const form of forms) {
  const send = await form.prepare();
  const isAlone = !options.quick || form.onlyAlone === true;
  const alone = isAlone ? await tryEnough(form, send, 1) : undefined;
  if (form.onlyAlone !== true && (alone === undefined || isOver(alone))) await tryEnough(form, send, AT_ONCE);
}
if (victim !== undefined) await replaceVictim(victim);
watch.stop();

await report(
  'bounds',
  [
    ...listFigures(tried),
    {
      name: 'acknowledged traces of other projects that are missing',
      value: lost,
      min: lost,
      max: lost,
      unit: `of ${acknowledged} traces`,
      must: '<= 0',
      ok: lost === 0,
    },
  ],
  process.argv.slice(2),
  tried.flatMap(formFigures),
);
process.stdout.write(
  `${tried.length} tries of ${forms.length} forms in ${Math.round((performance.now() - began) / 1000)} s\n`,
);
process.exit();
