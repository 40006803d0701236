import { Collector } from '@throughline/testkit/collector';
import type { PostedStep, PostedTrace } from '@throughline/testkit/posted';
import { pickRows } from '@throughline/testkit/thorough';
import { beforeAll, describe, expect, test } from 'vitest';
import { App } from '../harness/app.ts';
import {
  type Build,
  bundledByEsbuild,
  bundledByNcc,
  bundledByRollup,
  bundledByWebpack,
  byBabel,
  byEsbuild,
  bySwc,
  byTypeScript,
  script,
} from './compilers.ts';
import { Project } from './project.ts';

const routes = ['total', 'receipts', 'cautious', 'strict', 'audit', 'collect'];

/** Builds the fixture, requests each route, and returns the traces by route. */
async function traced(build: Build): Promise<ReadonlyMap<string, PostedTrace>> {
  const collector = new Collector();
  const project = new Project('../compiled');
  const traces = new Map<string, PostedTrace>();
  try {
    await build(project);
    const app = new App(`${project.folder}/${script}`, {
      collector: await collector.start(),
      cwd: project.folder,
      flags: ['--require', '@throughline/node/auto'],
    });
    const url = await app.ready();
    for (const route of routes) await (await fetch(`${url}/${route}`)).text();
    expect(await app.stop()).toMatchObject({ stderr: '', signal: 'SIGTERM' });
    for (const route of routes) traces.set(route, await collector.trace(`/${route}`));
  } finally {
    project.remove();
    await collector.stop();
  }
  return traces;
}

/** Returns a value without the parts that differ from run to run, and without the names of functions, which compilers change. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const type: unknown = Reflect.get(value, '$type');
  if (type === 'function') return 'a function';
  if (type === 'Error') return Reflect.get(value, 'message');
  // Names of classes are not compared, because bundlers rename classes.
  if (type === 'object' || type === 'reference') return type;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, shown(inner)]),
  );
}

interface Differences {
  /** Variables that are missing in the compiled code, by step. */
  readonly lost?: Readonly<Record<string, readonly string[]>>;
}

function described(step: PostedStep, withPlaces: boolean, { lost = {} }: Differences): object {
  const { stepName, stepType, inputs, outputs, variables, error, filePath, lineNumber } = step;
  const locals = Object.entries(variables?.localVariables ?? {}).filter(
    ([name, value]) => !lost[stepName]?.includes(name) && !isUndefined(value),
  );
  return {
    stepName,
    stepType,
    inputs: shown(inputs),
    // The callback of `new Promise()` returns a timer handle, which differs from run to run.
    outputs: stepName.startsWith('new ') ? undefined : shown(outputs),
    parameters: shown(variables?.parameters),
    locals: shown(Object.fromEntries(locals)),
    hasThis: variables?.thisContext !== undefined,
    error: error?.message,
    ...(withPlaces && { place: `${filePath}:${lineNumber}` }),
  };
}

const isUndefined = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, '$type') === 'undefined';

function describedTree(
  trace: PostedTrace,
  withPlaces: boolean,
  more: Differences,
  parent: string | null = null,
): object[] {
  return trace.flow
    .filter((step) => step.parentStepId === parent)
    .map((step) => ({
      ...described(step, withPlaces, more),
      below: describedTree(trace, withPlaces, more, step.stepId),
    }));
}

/** Steps that do not wait for all of their child steps. A child step can end after such a step. */
const NOT_WAITING = /^(?:new Promise\(\) callback|routes\.\w+|wait|numbered|labels|Stock\.each)$/;

/** Returns the names of steps that end after their parent step, unless the parent does not wait for them. */
function outlasting({ flow }: PostedTrace): string[] {
  return flow
    .filter((step) => {
      const parent = flow.find(({ stepId }) => stepId === step.parentStepId);
      if (parent === undefined || step.stepName === 'handle' || NOT_WAITING.test(parent.stepName))
        return false;
      return Date.parse(step.endTime) > Date.parse(parent.endTime);
    })
    .map(({ stepName }) => stepName);
}

let original: ReadonlyMap<string, PostedTrace>;
beforeAll(async () => {
  original = await traced(byTypeScript('ESNext'));
});

test('the original program has steps for each route', () => {
  for (const trace of original.values()) expect(trace.flow.length).toBeGreaterThan(5);
});

const inMachine = { 'audit.run': ['cost', 'later', 'part'] };

describe.each<[string, Build, (Differences & { readonly withPlaces?: boolean })?]>(
  pickRows(
    [
      ...(['ES5', 'ES2015', 'ES2016', 'ES2017', 'ES2022'] as const).flatMap(
        (target): [string, Build, Differences?][] => {
          const lost = target === 'ES5' ? { lost: inMachine } : {};
          return [
            [`TypeScript to ${target}`, byTypeScript(target), lost],
            [`TypeScript to ${target}, with tslib`, byTypeScript(target, true), lost],
          ];
        },
      ),
      ['TypeScript to ES2015, without maps', byTypeScript('ES2015', false, false), { withPlaces: false }],
      [
        'TypeScript to ES5, without maps',
        byTypeScript('ES5', false, false),
        { withPlaces: false, lost: inMachine },
      ],
      ['Babel, without regenerator', byBabel(['transform-regenerator'], { node: '6' })],
      ['Babel for Node 20', byBabel([], { node: '20' })],
      ['SWC to ES2015', bySwc('es2015')],
      ['SWC to ES2016', bySwc('es2016')],
      ['SWC to ES2022', bySwc('es2022')],
      ...['es2015', 'es2016', 'es2020'].map((target): [string, Build] => [
        `esbuild to ${target}`,
        byEsbuild(target),
      ]),
      ['bundled by esbuild to ES2015', bundledByEsbuild('es2015')],
      ['bundled by Rollup from ES2015', bundledByRollup(false)],
      ['bundled by Rollup from ES2015, with the plugin', bundledByRollup(true)],
      ['bundled by webpack from ES2015', bundledByWebpack('es2015', 'development', false)],
      ['bundled by webpack from ES2015, with the plugin', bundledByWebpack('es2015', 'production', true)],
      ['bundled by ncc from ES2015', bundledByNcc(byTypeScript('ES2015')), { withPlaces: false }],
    ],
    { usually: 7 },
  ),
)('compiled by %s', (_, build, { withPlaces = true, ...more } = {}) => {
  test('the steps of each request equal the steps of the original program, and no step outlasts its parent', async () => {
    const compiled = await traced(build);
    for (const route of routes) {
      const [trace, expected] = [compiled.get(route), original.get(route)];
      if (trace === undefined || expected === undefined) throw new Error(`no trace of ${route}`);
      expect(describedTree(trace, withPlaces, more)).toEqual(describedTree(expected, withPlaces, more));
      expect(trace.error).toMatchObject({ hasError: expected.error?.hasError });
      expect(outlasting(trace)).toEqual([]);
    }
  });
});
