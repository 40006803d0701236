import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { pickRows } from '@throughline/testkit/thorough';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { App } from './harness/app.ts';
import { step, tree } from './harness/trees.ts';

const USER = { id: '7', name: 'ada' };

describe.each(pickRows(['all', 'structure'], { usually: 1 }))(
  'functions that return a promise without awaiting it, capture %s',
  (capture) => {
    const collector = new Collector();
    let app: App;
    let url: string;
    beforeAll(async () => {
      app = new App('promises/app.js', {
        collector: await collector.start(),
        env: { THROUGHLINE_CAPTURE: capture },
      });
      url = await app.ready();
    });
    afterAll(async () => {
      await app.stop();
      await collector.stop();
      expect(app.stderr).toBe('');
    });

    const ask = async (path: string): Promise<PostedTrace> => {
      await (await fetch(url + path)).text();
      return collector.trace(path);
    };

    /** Checks that no step ends before a step that it called. */
    function expectCovered(trace: PostedTrace, ...names: string[]): void {
      const steps = names.map((name) => step(trace, name));
      for (const [index, one] of steps.entries()) {
        const called: PostedStep | undefined = steps[index + 1];
        if (called !== undefined) expect(one.endTime >= called.endTime, `${names[index]} covers`).toBe(true);
      }
    }

    test('each of the nested functions shows the value of the promise, and ends no earlier than the function that it called', async () => {
      const trace = await ask('/users/7');
      expect(tree(trace)).toEqual([
        [
          'GET /users/:id',
          [
            'controller.show',
            ['service.findOne', ['repository.findById', ['driver.load', 'new Promise() callback']]],
          ],
          'Promise.resolve().then() callback',
        ],
      ]);
      expectCovered(trace, 'controller.show', 'service.findOne', 'repository.findById', 'driver.load');
      for (const name of ['controller.show', 'service.findOne', 'repository.findById', 'driver.load']) {
        const one = step(trace, name);
        expect(one.metadata).toBeUndefined();
        if (capture === 'structure') continue;
        expect(one.outputs).toEqual(USER);
        expect(one.variables).toMatchObject({ capturedAt: 'exit', returnValue: USER });
      }
      expect(trace.flow.every(({ metadata }) => metadata?.unfinished === undefined)).toBe(true);
    });

    test('a rejection is an error of each of the nested functions, and originates in the function that threw', async () => {
      const trace = await ask('/users/none');
      expect(trace.response.statusCode).toBe(404);
      const failed = ['controller.show', 'service.findOne', 'repository.findById', 'driver.load'];
      for (const name of failed) {
        expect(step(trace, name).error?.message).toBe('no such user');
        expect(step(trace, name).metadata).toEqual(name === 'driver.load' ? undefined : { rethrown: true });
      }
    });

    test('a query that an async function returns runs once, and its step is below that function', async () => {
      const trace = await ask('/queries/7');
      if (capture === 'all') expect(trace.response.body).toEqual({ ...USER, runs: 1 });
      expectCovered(
        trace,
        'controller.query',
        'service.findQueried',
        'repository.findByQuery',
        'driver.load',
      );
      expect(step(trace, 'driver.load').parentStepId).toBe(step(trace, 'Query.then').stepId);
      expect(step(trace, 'Query.then').parentStepId).toBe(step(trace, 'repository.findByQuery').stepId);
      if (capture === 'all') expect(step(trace, 'controller.query').outputs).toEqual(USER);
    });

    test('the handler of a plain server ends no earlier than the work of the promise that it returns', async () => {
      const port = await (await fetch(`${url}/plain-port`)).json();
      await (await fetch(`http://127.0.0.1:${port}/plain`)).text();
      const trace = await collector.trace('/plain');
      const [handler] = trace.flow.filter(({ stepType }) => stepType === 'handler');
      if (handler === undefined) throw new Error('no handler');
      expect(handler.endTime >= step(trace, 'service.findOne').endTime).toBe(true);
      expect(step(trace, 'handle').parentStepId).toBe(handler.stepId);
      expect(trace.flow.every(({ metadata }) => metadata === undefined)).toBe(true);
    });
  },
);
