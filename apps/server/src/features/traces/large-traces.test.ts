import { gzipSync } from 'node:zlib';
import { routes } from '@throughline/contract';
import { aTrace } from '@throughline/testkit';
import { otlpAttributes, otlpProtobuf, otlpRequest, otlpSpan, postSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { type ProjectId, readId } from '../../platform/ids.ts';
import { openUnmigrated, type TraceStore } from '../../platform/trace-store/index.ts';
import { LARGE_TRACES, ReadingPlaces } from './detail/reading-places.ts';
import { createStepSearch } from './detail/search-steps.ts';
import { findTraceHead } from './detail/single-trace-store.ts';
import { stepPagesOfTrace } from './detail/steps.ts';
import { createPublicReading } from './public/public-projects.ts';

const scene = sceneOfFile();
const calls = routes.traces;
const large = (index: number) => `${index}‹ü› `.repeat(60_000);
const startTime = new Date().toISOString();
const buildFlow = (count: number) =>
  Array.from({ length: count }, (_step, index) => ({
    stepId: `s${index}`,
    stepName: 'load',
    startTime,
    duration: 1,
    inputs: [large(index)],
  }));

const stored = (count: number) => storedFlow(buildFlow(count));

async function storedFlow(flow: ReturnType<typeof buildFlow>) {
  const { person, project } = await newcomer(scene.server);
  const sent = await fetch(`${scene.server.url}/api/ingest/traces`, {
    method: 'POST',
    headers: {
      'x-api-key': project.apiKey,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(JSON.stringify({ traces: [aTrace({ flow })] })),
  });
  expect(await sent.json()).toMatchObject({ accepted: 1 });
  const { traces } = await person.client.call(calls.list, { query: { projectId: project.id } });
  return { person, project, id: traces[0]?._id ?? '' };
}

test.runIf(isThorough())('a trace of many megabytes is read, saved and exported completely', async () => {
  const { person, project, id } = await stored(12);
  const { trace } = await person.client.call(calls.read, { params: { id } });
  expect(trace.stepCount).toBe(12);
  expect(trace.flow.map(({ stepId }) => stepId)).toEqual(buildFlow(12).map(({ stepId }) => stepId));
  for (const [index, step] of trace.flow.entries()) expect(step.inputs).toEqual([large(index)]);
  const saved = await person.client.open(calls.raw, { params: { id } });
  expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="trace-${id}.json"`);
  expect(await saved.json()).toEqual({ trace });
  const exported = await person.client.open(calls.export, { query: { projectId: project.id } });
  expect(JSON.parse(await exported.text())).toEqual(trace);
});

test.runIf(isThorough())('spans of many megabytes are read completely and in order', async () => {
  const { person, project } = await newcomer(scene.server);
  const HTTP = { 'http.request.method': 'GET', 'url.path': '/x', 'http.response.status_code': 200 };
  const spans = Array.from({ length: 12 }, (_span, index) =>
    otlpSpan(index + 2, 1, { attributes: otlpAttributes({ text: large(index) }) }),
  );
  const root = otlpSpan(1, undefined, { attributes: otlpAttributes(HTTP) });
  const body = gzipSync(otlpProtobuf(otlpRequest('shop', [root, ...spans])));
  const reply = await postSpans(scene.server, project.apiKey, body, { 'content-encoding': 'gzip' });
  expect(reply.bytes).toHaveLength(0);
  const { traces } = await person.client.call(calls.list, { query: { projectId: project.id } });
  const { trace } = await person.client.call(calls.read, { params: { id: traces[0]?._id ?? '' } });
  for (const [index, { metadata }] of trace.flow.entries())
    expect(metadata).toMatchObject({ text: large(index) });
  expect(trace.flow).toHaveLength(spans.length);
  expect(trace.flow.map(({ sequence }) => sequence)).toEqual(spans.map((_span, index) => index));
});

test.runIf(isThorough())('one step of many megabytes is read completely', async () => {
  const text = large(1).repeat(12);
  const { person, id } = await storedFlow([
    { stepId: 'one', stepName: 'load', startTime, duration: 1, inputs: [text] },
  ]);
  const { step } = await person.client.call(calls.step, { params: { id, stepId: 'one' } });
  expect(step.inputs).toEqual([text]);
});

test.runIf(isThorough())('public viewers wait for a large step, but not for a small one', async () => {
  const { person, project, id } = await storedFlow([
    { stepId: 'large', stepName: 'load', startTime, duration: 1, inputs: [large(1).repeat(12)] },
    { stepId: 'small', stepName: 'load', startTime, duration: 1, inputs: ['x'] },
  ]);
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  const projectId = readId<ProjectId>(project.id);
  if (projectId === undefined) throw new Error('a project has a strange id');
  const store = await openUnmigrated(scene.server.config);
  const line = new ReadingPlaces({ ...LARGE_TRACES, waitMs: 1 });
  const viewers = createPublicReading(
    store,
    async () => [{ id: projectId, shownSince: 0n }],
    line,
    createStepSearch(store, line),
  );
  const leave = await line.enter('public viewers');
  await expect(viewers.step(id, 'large')).rejects.toThrow(
    'Too many large traces are being read at the moment.',
  );
  expect(await viewers.step(id, 'small')).toMatchObject({ stepId: 'small' });
  leave();
  expect(await viewers.step(id, 'large')).toMatchObject({ stepId: 'large' });
  await store.close();
});

test.runIf(isThorough())('many concurrent readers each get the complete trace', async () => {
  const { person, id } = await stored(12);
  const sizes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { trace } = await person.client.call(calls.read, { params: { id } });
      return trace.flow.length;
    }),
  );
  expect(sizes).toEqual(Array.from({ length: 6 }, () => 12));
});

test.runIf(isThorough())(
  'a trace with twice as many steps is read with at most twice as many statements, none with a much larger result',
  async () => {
    const work = async (count: number) => {
      const { project, id } = await stored(count);
      const store = await openUnmigrated(scene.server.config);
      let [statements, largest] = [0, 0];
      const counted: TraceStore = {
        ...store,
        async lines(sql, params) {
          statements += 1;
          const lines = await store.lines(sql, params);
          largest = Math.max(
            largest,
            lines.reduce((sum, { length }) => sum + length, 0),
          );
          return lines;
        },
      };
      const projectId = readId<ProjectId>(project.id);
      if (projectId === undefined) throw new Error('a project has a strange id');
      const shown = { id: projectId, shownSince: 0n };
      const trace = await findTraceHead(store, [shown], id);
      if (trace === undefined) throw new Error('the trace is not there');
      const { pages } = await stepPagesOfTrace(counted, trace, { values: true });
      let steps = 0;
      for await (const page of pages) steps += page.length;
      expect(steps).toBe(count);
      await store.close();
      return { statements, largest };
    };
    const [once, twice] = [await work(24), await work(48)];
    expect(twice.statements).toBeLessThanOrEqual(2 * once.statements);
    expect(twice.largest).toBeLessThanOrEqual(1.5 * once.largest);
  },
);
