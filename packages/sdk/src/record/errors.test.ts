import { afterEach, describe, expect, test } from 'vitest';
import { load, outline, record, stepNamed, traced } from '../../test/traced.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { Recording } from './recording.ts';

// The function with which the test runner formats stacks. Tests that need Node's own format remove the function. It is restored after each
// test.
const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});

describe('errors', () => {
  test.each([
    ['thrown', '', ''],
    ['rejected', 'async ', 'await '],
  ])(
    'that are %s are shown on the step that threw, and marked as rethrown on the steps around that step',
    async (_, kind, wait) => {
      const { main } = traced(
        `${kind}function charge(card) { const limit = 5; throw Object.assign(new TypeError('no ' + card), { code: 'E_CARD' }) }
       ${kind}function pay(card) { return ${wait}charge(card) }
       exports.main = ${kind}function main() { return ${wait}pay('visa') }`,
      );
      const { flow, failure, thrown } = await record(main);
      expect(thrown).toBeInstanceOf(TypeError);
      const charge = stepNamed(flow, 'charge');
      expect(charge.error).toMatchObject({ message: 'no visa', name: 'TypeError', code: 'E_CARD' });
      expect(charge.variables).toMatchObject({ capturedAt: 'throw', localVariables: { limit: 5 } });
      expect(charge.variables).not.toHaveProperty('returnValue');
      expect(charge.metadata?.rethrown).toBeUndefined();
      for (const name of ['pay', 'main']) {
        expect(stepNamed(flow, name).error?.message).toBe('no visa');
        expect(stepNamed(flow, name).metadata).toEqual({ rethrown: true });
      }
      expect(failure?.message).toBe('no visa');
    },
  );

  test('an error keeps its stack and its cause if the host deletes them before the request ends', async () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const { main } = traced(
      `function parse() { try { JSON.parse('{') } catch (cause) { throw new RangeError('invalid body', { cause }) } }
       exports.main = function main() { try { parse() } catch (error) { delete error.stack; delete error.cause; return error } }`,
    );
    const { flow, result } = await record(main);
    const { stack } = stepNamed(flow, 'parse').error ?? {};
    expect(stack).toMatch(/^RangeError: invalid body\n {4}at parse /);
    expect(stack).toContain('[cause]: SyntaxError: Expected property name');
    expect(Object.getOwnPropertyNames(result)).toEqual(['message']);
  });

  test('a caught error is not an error of the function that caught the error, nor of the trace', async () => {
    const { main } = traced(
      'function bad() { throw new Error("x") } exports.main = function main() { try { bad() } catch (e) { return 1 } }',
    );
    const { flow, failure } = await record(main);
    expect(stepNamed(flow, 'bad').error?.message).toBe('x');
    expect(stepNamed(flow, 'main').error).toBeUndefined();
    expect(failure).toBeUndefined();
  });

  test('are shown with their message at each step, and with a stack that begins with their final message', async () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const source = `function charge(card) { throw new RangeError('no ' + card) }
      function pay(card) { try { charge(card) } catch (e) { e.message = 'paying: ' + e.message; throw e } }
      function order(list) { try { pay('visa') } catch (e) { list.push(e); e.message = 'ordering: ' + e.message; throw e } }
      function answer(e) { return e.stack.split('\\n')[0] }
      exports.main = function main() { try { order([]) } catch (e) { const shown = { e }; e.message += '!'; return answer(e) } }`;
    const { flow, result } = await record(traced(source).main);
    const said = 'RangeError: ordering: paying: no visa!';
    expect(result).toBe(said);
    expect(load(source).main?.()).toBe(said);
    const steps = ['charge', 'pay', 'order'].map((name) => stepNamed(flow, name));
    expect(steps.map(({ error }) => error?.message)).toEqual([
      'no visa',
      'paying: no visa',
      'ordering: paying: no visa',
    ]);
    expect(steps.map(({ metadata }) => metadata?.rethrown)).toEqual([undefined, true, true]);
    for (const { error } of steps)
      expect(error?.stack).toMatch(/^RangeError: ordering: paying: no visa!\n +at charge/);
    const stack = expect.stringMatching(/^RangeError: ordering: paying: no visa!\n +at charge/);
    expect(stepNamed(flow, 'order').variables?.parameters).toEqual({
      list: [expect.objectContaining({ message: 'ordering: paying: no visa', stack })],
    });
    expect(stepNamed(flow, 'answer').inputs).toEqual({
      e: expect.objectContaining({ message: 'ordering: paying: no visa!', stack }),
    });
  });

  test.each([
    ['drop', 'later'],
    ['finish', 'soon'],
  ] as const)('that change after the %s of a recording have a stack with the message "%s"', (end, said) => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const error = new Error('soon');
    const { main } = traced(
      'exports.main = function main(error) { try { throw error } catch { return error } }',
    );
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    runRecording(recording, () => main?.(error));
    recording[end]();
    error.message = 'later';
    expect(error.stack?.split('\n')[0]).toBe(`Error: ${said}`);
  });

  test('in one value have stacks up to a limit, and further errors have no stacks', async () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const { main } = traced(
      `exports.main = function main() { const failed = Array.from({ length: 100 }, (_, n) => new Error('e' + n)); return failed }`,
    );
    const { flow } = await record(main);
    const { length } = JSON.stringify(stepNamed(flow, 'main').outputs);
    expect(length).toBeGreaterThan(20_000);
    expect(length).toBeLessThan(66_000);
  });

  test('with Cyrillic paths have a stack that is cut at the limit of bytes', async () => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const { main } = traced(
      `exports.main = function main() { const failed = new Error('e'); failed.stack = 'Error: e' + '\\n    at папка (/папка/файл.js:1:1)'.repeat(60); return failed }`,
    );
    const { flow } = await record(main);
    const { stack = '' } = stepNamed(flow, 'main').outputs as { stack?: string };
    expect(stack.length).toBeGreaterThan(700);
    expect(Buffer.byteLength(JSON.stringify(stack))).toBeLessThan(1600);
  });

  test('an error that wraps another error counts as a new error of the function that throws it', async () => {
    const { main } = traced(
      'function bad() { throw new Error("inner") } exports.main = function main() { try { bad() } catch (cause) { throw new Error("outer", { cause }) } }',
    );
    const { flow } = await record(main);
    expect(stepNamed(flow, 'main')).toMatchObject({ error: { message: 'outer' } });
    expect(stepNamed(flow, 'main').metadata).toBeUndefined();
  });

  test.each([
    ['"text"'],
    ['undefined'],
    ['null'],
    ['Symbol("s")'],
    ['{}'],
    ['Object.create(null)'],
    ['new Proxy({}, {})'],
  ])('can be values of any type: %s', async (thrown) => {
    const { main } = traced(`exports.main = function main() { throw ${thrown} }`);
    const { flow } = await record(main);
    expect(stepNamed(flow, 'main').error?.message).toEqual(expect.any(String));
    expect(stepNamed(flow, 'main').variables?.capturedAt).toBe('throw');
  });

  test('of a default parameter are errors of the function that makes the call', async () => {
    const { main } = traced(
      'function fail() { throw new Error("d") } function f(a = fail()) {} exports.main = function main() { f() }',
    );
    const { flow } = await record(main);
    expect(outline(flow)).toBe('main\n  fail');
    expect(stepNamed(flow, 'main').error?.message).toBe('d');
  });

  test('a recursion that overflows the stack is recorded up to the step limit, and further calls are counted', async () => {
    const { main } = traced(
      'function dive(n) { return dive(n + 1) + 1 } function after() {} exports.main = function main() { try { dive(0) } catch (e) { after(); return e instanceof RangeError } }',
    );
    const { flow, result, dropped } = await record(main);
    expect(result).toBe(true);
    expect(flow).toHaveLength(2000);
    expect(dropped.steps).toBeGreaterThan(1000);
  });

  test('from a full call stack end all calls below the function that caught the error, and later steps are below that function', async () => {
    const { main } = traced(
      'function dive(n) { return dive(n + 1) + 1 } function after() {} exports.main = function main() { try { dive(0) } catch (e) { after() } after(); return 1 }',
    );
    const { flow } = await record(main, 'all', { ...defaultLimits, steps: 100_000 });
    const afters = flow.filter(({ stepName }) => stepName === 'after');
    expect(afters).toHaveLength(2);
    for (const after of afters) expect(after.parentStepId).toBe(stepNamed(flow, 'main').stepId);
    const first = flow.find(({ stepName }) => stepName === 'dive');
    expect(first?.error?.name).toBe('RangeError');
  });
});
