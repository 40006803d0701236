import { Collector } from '@throughline/testkit/collector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App, type End } from '../harness/app.ts';
import { findLine, step, tree } from '../harness/trees.ts';
import { type Fixture, Project } from './project.ts';

/** One way to start a service, or to build and start it. */
export interface WayToStart {
  readonly fixture: Fixture;
  /** Subfolder of the project for the author's source files. */
  readonly into?: string;
  /** Builds the service, or adds further files to the project. */
  prepare?(project: Project): void | Promise<void>;
  /** Path relative to the project's folder. */
  readonly script: string;
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The text that the process must print to stderr; nothing if absent. */
  readonly says?: string;
  /** Set if code is compiled in memory without source maps for stacks. Node then knows only the lines of the compiled code. */
  readonly stacksAsCompiled?: boolean;
  /** How the process must end on SIGTERM. */
  readonly ends?: Pick<End, 'code' | 'signal'>;
}

const lines = [
  { sku: 'cup', quantity: 9 },
  { sku: 'tea', quantity: 2 },
];

/**
 * Tests one way to start a service. The test is the same for every way: a successful and a failing order must be recorded with the tree of
 * steps, the values, the route, the error, and the function names, files and lines of the source code as written.
 */
export function testShop(way: WayToStart): void {
  const collector = new Collector();
  const extension = way.fixture === 'ts' ? 'ts' : 'js';
  const at = (path: string, text: string) => ({
    filePath: `${way.into === undefined ? '' : `${way.into}/`}${path}.${extension}`,
    lineNumber: findLine(`loaders/${way.fixture}/${path}.${extension}`, text),
  });
  let project: Project;
  let end: End;

  beforeAll(async () => {
    project = new Project(way.fixture, way.into);
    await way.prepare?.(project);
    const app = new App(`${project.folder}/${way.script}`, {
      collector: await collector.start(),
      cwd: project.folder,
      flags: way.flags ?? ['--import', '@throughline/node/auto'],
      args: way.args ?? [],
      env: way.env ?? {},
    });
    const url = await app.ready();
    await order(url, 'corner', lines);
    await order(url, 'dear', [{ sku: 'gold', quantity: 1 }]);
    end = await app.stop();
  });
  afterAll(async () => {
    await collector.stop();
    project.remove();
  });

  test('an order is traced with its step tree, source positions, values and route', async () => {
    const trace = await collector.trace('/orders/corner');
    expect(tree(trace)).toEqual([
      'jsonParser',
      [
        'placeOrder',
        [
          'quote',
          ['lines.map() callback', 'priceOf'],
          ['lines.map() callback', 'priceOf'],
          'amounts.reduce() callback',
          'amounts.reduce() callback',
          'feeOf',
        ],
      ],
    ]);
    expect(trace).toMatchObject({
      request: { method: 'POST', route: '/orders/:shop', body: { lines } },
      response: { statusCode: 201, body: { shop: 'corner', sum: 67, fee: 1 } },
    });
    expect(step(trace, 'placeOrder')).toMatchObject({
      stepType: 'handler',
      ...at('app', 'function placeOrder'),
      variables: { localVariables: { sum: 67, fee: 1 } },
    });
    expect(step(trace, 'quote')).toMatchObject({
      stepType: 'function',
      functionName: 'quote',
      ...at('lib/prices', 'function quote'),
      inputs: { lines },
      outputs: { sum: 67, fee: 1 },
      variables: { parameters: { lines }, localVariables: { amounts: [45, 22], sum: 67 } },
    });
    expect(step(trace, 'priceOf')).toMatchObject({
      ...at('lib/prices', 'function priceOf'),
      inputs: { line: lines[0], factor: 1 },
      outputs: 45,
      variables: { localVariables: { price: 5 } },
    });
    expect(step(trace, 'feeOf')).toMatchObject({
      ...at('lib/prices', 'const feeOf'),
      inputs: { sum: 67 },
      outputs: 1,
    });
  });

  test('the error of a failed order is shown on the step that threw the error and on the trace', async () => {
    const trace = await collector.trace('/orders/dear');
    expect(trace).toMatchObject({
      response: { statusCode: 422, body: { message: 'no price for gold' } },
      error: { hasError: true, errorMessage: 'no price for gold', errorCode: 'E_SKU' },
    });
    expect(step(trace, 'priceOf')).toMatchObject({
      error: { message: 'no price for gold', code: 'E_SKU' },
      variables: { capturedAt: 'throw', parameters: { line: { sku: 'gold', quantity: 1 } } },
    });
    expect(step(trace, 'new UnknownSku')).toMatchObject(at('lib/prices', 'constructor('));
    expect(step(trace, 'answerError')).toMatchObject({
      stepType: 'middleware',
      ...at('app', 'function answerError'),
    });
  });

  test.skipIf(way.stacksAsCompiled)(
    "the stacks of an error and its cause show the author's source positions",
    async () => {
      const { error } = step(await collector.trace('/orders/dear'), 'priceOf');
      const [thrown = '', cause = ''] = error?.stack?.split('\n[cause]: ') ?? [];
      const file = `lib/prices.${extension}`;
      const line = (text: string) => findLine(`loaders/${way.fixture}/${file}`, text);
      expect(thrown).toMatch(/^(UnknownSku|Error): no price for gold\n/);
      expect(thrown).toMatch(placeIn(file, line('throw new UnknownSku')));
      expect(cause).toMatch(/^RangeError: gold is not listed\n/);
      expect(cause).toMatch(placeIn(file, line('new RangeError')));
    },
  );

  test('the service prints only the expected lines and ends normally', () => {
    expect(end).toMatchObject({ code: null, signal: 'SIGTERM', ...way.ends, stderr: way.says ?? '' });
  });
}

/** Builds a pattern for a stack frame: an absolute path, the line, and the column if it is known. */
function placeIn(file: string, line: number): RegExp {
  return new RegExp(`^ +at .*/${file.replaceAll('.', '\\.')}:${line}(:\\d+)?\\)?$`, 'm');
}

/** Orders the given lines and waits for the response. */
export async function order(url: string, shop: string, ordered: unknown): Promise<void> {
  const answer = await fetch(`${url}/orders/${shop}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lines: ordered }),
  });
  await answer.text();
}
