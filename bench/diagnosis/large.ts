/**
 * bench:diagnosis:large: measures the comparison of two requests with 10,000 calls each: the server's response times, and the time from
 * navigation to the first call on screen in real Chromium.
 *
 * Recipe. One failed and three successful requests, each of 10,000 calls with inputs and results of about 100 bytes, are sent to a real
 * server. In each round, the comparison is opened twice, each time in a fresh profile: from the page of the failed request, and by its URL.
 *
 *   npm run build && npm run bench:diagnosis:large [-- --json FILE]
 */
import { createClient, routes } from '@throughline/contract';
import { figure, report } from '../lib/figures.ts';
import { startServerProcess } from '../lib/server-process.ts';
import { checkBuilt, launchChromium, openPage, shownAt, untilShown } from '../ui/page.ts';

const STEPS = 10_000;
const ROUNDS = 5;
const GOODS = 3;
const FIRST_CALL = '[role="listbox"][aria-label="Calls of both requests"] [role="option"]';

checkBuilt();
const browser = await launchChromium();
const server = await startServerProcess();
const answered: number[] = [];
const stated: number[] = [];
const followed: number[] = [];
const shown: number[] = [];
const clicked: number[] = [];
try {
  for (let at = 0; at < GOODS; at += 1) await send(buildTrace(60_000 * (at + 1), false));
  await send(buildTrace(1000, true));
  const client = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  const { traces } = await client.call(routes.traces.list, { query: { status: 'error', limit: 1 } });
  const id = traces[0]?._id ?? '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await client.call(routes.traces.compare, { params: { id }, query: { with: 'good' } });
    answered.push(performance.now() - began);
    const asked = performance.now();
    await client.call(routes.traces.standsOut, { params: { id } });
    stated.push(performance.now() - asked);
    const follows = performance.now();
    await client.call(routes.traces.valueOrigin, {
      params: { id },
      query: { stepId: String(STEPS / 2 + round), place: 'inputs', path: '["item","name"]' },
    });
    followed.push(performance.now() - follows);
    const linked = await openPage(browser, server.url, server.token);
    await linked.page.goto(`/traces/${id}?compare=good`);
    shown.push(await shownAt(linked.page, FIRST_CALL));
    await linked.close();
    const opened = await openPage(browser, server.url, server.token);
    await opened.page.goto(`/traces/${id}`);
    const button = opened.page.getByRole('button', { name: 'Compare with a successful request' });
    await button.waitFor();
    clicked.push(await untilShown(opened.page, FIRST_CALL, () => button.click()));
    await opened.close();
  }
} finally {
  await browser.close();
  await server.removeFolder();
}
await report(
  'diagnosis of large requests',
  [
    figure(`comparison of ${STEPS} calls a side, answered`, 'ms', answered),
    figure(`what stands out in ${STEPS} calls, answered`, 'ms', stated),
    figure(`a value followed through ${STEPS} calls, answered`, 'ms', followed, '<= 300'),
    figure(`comparison of ${STEPS} calls a side, from the button to the screen`, 'ms', clicked, '<= 1000'),
    figure(`the same from its address, in a fresh profile`, 'ms', shown),
  ],
  process.argv.slice(2),
);

async function send(trace: unknown): Promise<void> {
  const answer = await fetch(server.url + routes.ingest.traces.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': server.apiKey },
    body: JSON.stringify({ service: { name: 'large' }, traces: [trace] }),
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes('"accepted":1')) throw new Error(`the trace was not accepted: ${text}`);
}

/** Builds the trace of a request with `STEPS` nested calls. If `failed`, the middle call has an error and the return value `undefined`. */
function buildTrace(agoMs: number, failed: boolean) {
  const start = Date.now() - agoMs;
  const error = { name: 'TypeError', message: 'price is undefined' };
  const flow = Array.from({ length: STEPS }, (_, at) => {
    const isFaulty = failed && at === STEPS / 2;
    return {
      stepId: String(at),
      parentStepId: at === 0 ? null : String(at % 10 === 1 ? 0 : Math.floor((at - 1) / 10) * 10 + 1),
      stepName: `step${at % 50}`,
      functionName: `step${at % 50}`,
      stepType: 'function',
      filePath: 'src/large.ts',
      lineNumber: 1 + (at % 50),
      startTime: new Date(start + at / 10).toISOString(),
      duration: 0.1,
      inputs: { item: { id: at, name: `item ${at % 97}`, quantity: at % 7, category: 'books' } },
      variables: {
        returnValue: isFaulty ? { $type: 'undefined' } : { price: (at % 31) * 1.5, currency: 'EUR' },
      },
      ...(isFaulty ? { error } : {}),
    };
  });
  return {
    request: { method: 'POST', path: '/large', route: '/large' },
    response: { statusCode: failed ? 500 : 200 },
    timing: { startTime: new Date(start).toISOString(), duration: STEPS / 10 },
    ...(failed ? { error: { hasError: true, errorMessage: error.message } } : {}),
    flow,
  };
}
