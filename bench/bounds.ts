/**
 * bench:bounds: measures the effects of the most hostile input on the server and on its other users.
 *
 * Recipe. The real server runs in its own process on an empty folder. Each hostile input (see `bounds/forms`) is the worst input of its
 * kind that one valid sender can send: a few hundred bytes that unpack to 31 million empty spans, 60 MB of line ends, 1,150 live streams.
 * Each input is sent once, and then 50 times concurrently, by an account of its own. A second process requests `/api/health/live` every 50
 * ms, samples the server's memory, and sends two small traces of another project every 150 ms, without waiting for earlier responses. The
 * measurement of an input ends when all senders have their responses and the server is idle again, or when the input has used the CPU time
 * of `--limit`.
 *
 * A ratio is the median duration of the other project's requests during the input, divided by their median duration before the input. A
 * silence is a time without a response to the health check. `(CPU)` is the CPU time of the server's main thread during the longest silence.
 * `(idle)` is the longest silence of an idle server, which shows the delay that a busy machine adds.
 *
 * A server that exited, used too much memory or is still busy is replaced; first, the other project's stored traces are counted, and
 * compared with the number of acknowledged traces. A server that reaches 3 GB is killed. An input that ends the server, or uses the CPU
 * time of `--limit`, is not sent 50 times. If a silence or a ratio is only slightly above its maximum (see `bounds/verdict.ts`), the input
 * is tried up to three times, and the median counts.
 *
 * `--quick` tries every second input, and sends it only 50 times concurrently (an `onlyAlone` input: only once). `--quick --others` tries
 * the inputs that `--quick` leaves out.
 *
 *   npm run bench:bounds [-- --quick [--others]] [-- --only=TEXT] [-- --limit=SECONDS] [-- --json FILE]
 *
 * `--only` tries the inputs whose input path or name contains the text. `--limit` is the CPU time that an input may use.
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
    others: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '20' },
    json: { type: 'string' },
  },
});
const limitMs = Number(options.limit) * 1000;
if (!(limitMs > 0)) throw new Error('--limit is a number of seconds');
const forms = HOSTILE_FORMS.filter(({ way, name }) => `${way}, ${name}`.includes(options.only)).filter(
  (_form, index) => !options.quick || index % 2 === (options.others ? 1 : 0),
);
if (forms.length === 0) throw new Error(`no form has ${JSON.stringify(options.only)} in its name`);

const AT_ONCE = 50;
/** An idle server that still uses more memory than this is replaced, so that the next hostile input is measured on a fresh server. */
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

/** Counts the other project's stored traces, adds the acknowledged traces that are missing to `lost`, and ends the server. */
async function replaceVictim(ended: Victim): Promise<void> {
  const report = await watch.report();
  watch.rest();
  victim = undefined;
  acknowledged += report.acknowledged;
  try {
    const stored = await countAfter(ended);
    lost += Math.max(0, report.acknowledged - stored);
  } finally {
    await ended.remove();
  }
}

/**
 * Counts the other project's traces through the server's API. If the server exited or does not respond, restarts it on the same folder
 * first.
 */
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

/**
 * True if the server survived the hostile input, responded to every sender and became idle again. Otherwise, sending the input many times
 * would show nothing more.
 */
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
