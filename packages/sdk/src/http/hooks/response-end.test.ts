import { createReadStream } from 'node:fs';
import type { RequestListener } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { traced } from '../../../test/traced.ts';
import { nextTrace, serve, watch } from '../../../test/watched.ts';

beforeAll(watch);

const source = `
exports.handle = function handle(req, res) { listen(res); send(res); };
function listen(res) { res.on('finish', () => note()); res.on('close', logEnd); }
function note() {}
function logEnd() { note(); }
function send(res) { openFile().pipe(res); }`;

test('the step of a listener for the end of a response is below the function that created the listener, or at the top, and not below the function that opened the sent file', async () => {
  const { handle } = traced(source, { openFile: () => createReadStream(import.meta.filename) });
  const running = await serve(handle as RequestListener);
  await (await fetch(running.url)).text();
  const { flow } = await nextTrace();
  await running.close();
  const names = new Map(flow.map(({ stepId, stepName }) => [stepId, stepName]));
  const parents = flow.map(({ stepName, parentStepId }) => [stepName, names.get(parentStepId ?? '') ?? null]);
  expect(parents).toEqual([
    ['handle', null],
    ['listen', 'handle'],
    ['send', 'handle'],
    ["res.on('finish') callback", 'listen'],
    ['note', "res.on('finish') callback"],
    ['logEnd', null],
    ['note', 'logEnd'],
  ]);
});
