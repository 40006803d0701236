import { routes } from '@throughline/contract';
import { aTrace, refusal, sendTraces } from '@throughline/testkit';
import {
  type OtlpSpan,
  type OtlpValue,
  otlpAttributes,
  otlpRequest,
  otlpSpan,
  otlpSpanId,
  sendSpans,
} from '@throughline/testkit/otlp';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { storesOfFile } from '@throughline/testkit/stores';
import { isThorough } from '@throughline/testkit/thorough';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId, type ProjectId } from '../../../platform/ids.ts';
import {
  hashOfPair,
  openUnmigrated,
  type TraceStore,
  timeOfTraceId,
} from '../../../platform/trace-store/index.ts';
import { deleteTraces } from './removal-store.ts';
import { findUserData } from './user-data.ts';

/** A user id with characters that JSON and SQL escape. */
const ADA = 'o\'brien "ada" \\ 😀/ü\n\u2028\u001f{user:String}';
const NOTHING = { traces: 0, steps: 0, spans: 0, figures: 0 };

describe('data that names a user is deleted', () => {
  const scene = sceneOfEachTest();
  /** Opens the server's store again in this process, to read rows that no list shows. */
  let store: TraceStore;
  beforeEach(async () => {
    store = await openUnmigrated(scene.server.config);
  });
  afterEach(() => store.close());

  const erase = (userId = ADA, id = scene.project.id) =>
    scene.person.client.call(routes.traces.eraseUser, { params: { id, userId } });
  const paths = async () => (await scene.list()).map(({ request }) => request.path).sort();
  const stored = async (table: 'traces' | 'steps' | 'spans') => {
    const sql = `SELECT toString(count()) FROM ${table} WHERE project_id = {project:UUID}`;
    return Number((await store.lines(sql, { project: scene.project.id }))[0]);
  };
  const send = (service: string, ...spans: readonly OtlpSpan[]) =>
    sendSpans(scene.server, scene.project.apiKey, otlpRequest(service, spans));
  const request = (id: number, path: string, more: Partial<OtlpSpan> = {}) =>
    otlpSpan(id, undefined, {
      kind: 2,
      attributes: otlpAttributes({ 'http.request.method': 'GET', 'url.path': path }),
      ...more,
    });
  const naming = (
    id: number,
    parent: number,
    name = 'enduser.id',
    user: string | number = ADA,
    more: Partial<OtlpSpan> = {},
  ) => otlpSpan(id, parent, { attributes: otlpAttributes({ [name]: user }), ...more });
  const trace = (digit: string) => ({ traceId: digit.repeat(32) });

  test.each(isThorough() ? ['enduser.id', 'user.id', 'enduser.pseudo.id'] : ['user.id'])(
    'if the attribute %s of an inner span names the user; other requests of the trace stay',
    async (name) => {
      await send('front', request(1, '/front'), otlpSpan(2, 1, { kind: 3 }));
      const parentSpanId = otlpSpanId(2);
      await send('back', request(3, '/back', { parentSpanId }), naming(4, 3, name), otlpSpan(5, 4));
      await send('back', naming(11, 10, name, `${ADA}2`, trace('b')), request(10, '/other', trace('b')));

      const { erased, left, receipt } = await erase();
      expect(erased).toEqual({ traces: 1, steps: 0, spans: 3, figures: 0 });
      expect(left).toEqual(NOTHING);
      expect(receipt.before).toMatchObject({ traces: 1, spans: 3 });
      expect(receipt.after).toMatchObject({ traces: 0, steps: 0, spans: 0 });
      expect(await paths()).toEqual(['/front', '/other']);
      expect([await stored('traces'), await stored('spans')]).toEqual([2, 4]);
      expect((await erase()).erased).toEqual(NOTHING);
      expect(await paths()).toEqual(['/front', '/other']);
    },
  );

  test.runIf(isThorough())(
    "if the span that names the user was first assigned to another request, because the span's own request arrived later",
    async () => {
      await send('front', request(1, '/front'), otlpSpan(2, 1, { kind: 3 }));
      await send('back', naming(4, 3, 'user.id', 'grace'));
      // Lists the requests whose rows contain the user id `grace`. The span with this id belongs to `/back`. Before `/back` arrives, the
      // span is a step of `/front`, whose row still lists the id afterwards.
      const saysSo = () =>
        store.lines(
          'SELECT path FROM traces WHERE project_id = {project:UUID} AND has(attribute_pairs, toUInt64({pair:String}))',
          { project: scene.project.id, pair: hashOfPair('user.id', '"grace"') },
        );
      await expect.poll(saysSo, { timeout: 10_000 }).toEqual(['/front']);
      await send('back', request(3, '/back', { parentSpanId: otlpSpanId(2) }));
      expect((await erase('grace')).erased).toMatchObject({ traces: 1, spans: 2 });
      expect(await saysSo()).toEqual(['/front']);
      expect((await erase('grace')).erased).toEqual(NOTHING);
      expect(await paths()).toEqual(['/front']);
    },
  );

  test.runIf(isThorough())(
    'if the span just arrived, and if the request of the span never arrived',
    async () => {
      await send('shop', request(1, '/late'), request(10, '/stays', trace('b')));
      await send('shop', naming(2, 1));
      await send('shop', otlpSpan(20, 19, trace('c')), naming(21, 20, 'user.id', ADA, trace('c')));
      await send('shop', naming(30, 29, 'user.id', 'grace', trace('d')));
      expect((await erase()).erased).toEqual({ traces: 1, steps: 0, spans: 4, figures: 0 });
      expect(await paths()).toEqual(['/stays']);
      expect(await stored('spans')).toBe(2);
    },
  );

  test.runIf(isThorough())('if the user id is a number', async () => {
    await send('shop', request(1, '/named'), naming(2, 1, 'user.id', 42));
    await send('shop', request(10, '/stays', trace('b')), naming(11, 10, 'user.id', 421, trace('b')));
    expect((await erase('42')).erased).toMatchObject({ traces: 1, spans: 2 });
    expect(await paths()).toEqual(['/stays']);
    // Sends the id as a string instead of a number, and under another name.
    const value: OtlpValue = { kvlistValue: { values: otlpAttributes({ 'user.id': '007' }) } };
    await send('shop', otlpSpan(12, 11, { ...trace('b'), attributes: [{ key: 'cart', value }] }));
    expect((await erase('007')).erased).toEqual(NOTHING);
  });

  test('in attributes and steps that the SDK sent, even if the trace’s row lists neither', async () => {
    const startTime = new Date().toISOString();
    const of = (path: string, attributes: object, metadata: object, more: object = {}) =>
      aTrace({
        request: { method: 'GET', path },
        attributes: attributes as never,
        flow: ['1', '2'].map((stepId) => ({
          stepId,
          stepName: 'x',
          startTime,
          duration: 1,
          metadata: (stepId === '2' ? metadata : {}) as never,
        })),
        ...more,
      });
    const sent = [
      of('/own', { 'user.id': ADA }, {}),
      of('/step', {}, { 'enduser.id': ADA }),
      of('/somebody', {}, { 'enduser.pseudo.id': ADA }, { user: { id: 'grace' } }),
      of('/user', {}, {}, { user: { id: ADA } }),
      of('/other name', { 'app.user': ADA }, { 'enduser.id': 'grace' }),
      of('/nested', { cart: { 'enduser.id': ADA } }, { note: `"enduser.id":${JSON.stringify(ADA)}` }),
    ];
    for (const isWhole of [true, false]) {
      await sendTraces(scene.server, scene.project.apiKey, sent);
      if (!isWhole) {
        await store.command(
          `UPDATE traces SET attribute_pairs = [], attribute_names = [], attributes_whole = false WHERE project_id = {project:UUID}`,
          { project: scene.project.id },
        );
      }
      const { erased, left } = await erase();
      expect(erased).toMatchObject({ traces: 4, steps: 8, spans: 0 });
      expect(left).toEqual(NOTHING);
      expect([...new Set(await paths())]).toEqual(['/nested', '/other name']);
    }
    expect([await stored('traces'), await stored('steps')]).toEqual([4, 8]);
  });

  test("only in the caller's own project, and not by users without access to the project", async () => {
    const { person: stranger, project: theirs } = await newcomer(scene.server);
    for (const { apiKey } of [scene.project, theirs]) {
      const both = otlpRequest('shop', [request(1, '/named'), naming(2, 1)]);
      await sendSpans(scene.server, apiKey, both);
    }
    const params = { id: scene.project.id, userId: ADA };
    expect(await refusal(stranger.client.call(routes.traces.eraseUser, { params }))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    expect(await paths()).toEqual(['/named']);
    expect((await erase()).erased).toMatchObject({ traces: 1, spans: 2 });
    const { total } = await stranger.client.call(routes.traces.list, { query: { projectId: theirs.id } });
    expect(total).toBe(1);
  });
});

describe('many requests whose data names a user', () => {
  const stores = storesOfFile();

  test("are deleted by their ids, also if they are expired, and no stored statement contains the user's id", async () => {
    const project = createId<ProjectId>();
    const long = Date.now() - 400 * 86_400_000;
    const rows = Array.from({ length: 2001 }, (_row, index) => {
      const id = v7({ msecs: long + index });
      const seconds = ((long + index) / 1000).toFixed(6);
      const attributes = JSON.stringify(index === 0 ? {} : { 'user.id': 'ada-4711' });
      return `${project}\t${seconds}\t${id}\t${timeOfTraceId(id)}\t${attributes}\t${seconds}\n`;
    });
    const columns = ['project_id', 'start_time', 'id', 'id_time_ms', 'attributes', 'stored_at'];
    await stores.traces.insert('traces', columns, Buffer.from(rows.join('')));
    const { ids, naming } = await findUserData(stores.traces, project, 'ada-4711');
    expect([ids.length, naming.length]).toEqual([2000, 2000]);
    await deleteTraces(stores.traces, project, [...naming, v7()]);
    expect(await findUserData(stores.traces, project, 'ada-4711')).toMatchObject({ ids: [], spans: [] });
    const left = 'SELECT toString(count()) FROM traces WHERE project_id = {project:UUID}';
    expect(await stores.traces.lines(left, { project })).toEqual(['1']);
    const kept = await stores.traces.lines('SELECT command FROM system.mutations');
    expect(kept.join()).not.toContain('ada-4711');
  });
});
