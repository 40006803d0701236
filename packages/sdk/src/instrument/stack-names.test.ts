import { expect, test } from 'vitest';
import { load, record, traced } from '../../test/traced.ts';

/** Expressions with unnamed functions, which V8 names in stacks after the variable that they are assigned to. */
const expressions = [
  '() => at()',
  'function () { return at() }',
  'async () => at()',
  '[() => at()]',
  '[[() => at()], 1]',
  '{ run: () => at() }',
  '{ ...(() => at()), run() { return at() } }',
  'class { run() { return at() } }',
  'class { static run() { return at() } }',
  'class extends Base { run() { return at() } }',
  'yes ? () => at() : null',
  '(() => at()) || null',
  'yes && (() => at())',
  '(() => 1, () => at())',
  'call(() => at())',
  'call(() => at(), () => 1)',
  'call(() => at()) + call(() => 1)',
  '[1].map(() => at()).filter(() => true)',
  '{ items: [1].map(() => at()), more: () => 1 }',
  '`said ` + [1].map(() => at())',
  'new Made(() => at(), () => 1)',
  '(function () { return at() })()',
  'named = () => at()',
  'held.key = () => at()',
  'function own() { return at() }',
  '[1, 2].map((one) => () => at())',
  'call(call, () => at())',
];

const places = {
  returned: (e: string) => `function main() { return ${e}\n}`,
  'the body of an arrow': (e: string) => `const main = () => (${e})`,
  'a constant': (e: string) => `function main() { const x = ${e}; return x }`,
  'two variables': (e: string) => `function main() { let x = ${e}, y = ${e}; return [x, y] }`,
  'an old variable': (e: string) => `function main() { var x = ${e}; return x }`,
  assigned: (e: string) => `function main() { let x; x = ${e}; return x }`,
  'assigned to a default': (e: string) => `function main() { let x; x ??= ${e}; return x }`,
  'a default parameter': (e: string) => `function main(x = ${e}) { return x }`,
  awaited: (e: string) => `async function main() { return await (${e}) }`,
  'in a loop': (e: string) => `async function main() { for await (const x of [${e}]) return x }`,
};

/**
 * Code around an expression, with a description of the expression's position as the key. In these positions, a function that V8 names in
 * stacks can be at another depth in the instrumented program than in the plain one.
 */
const placesInPlaces = {
  'assigned twice': (e: string) => `function main() { let x, y; x = y = ${e}; return x }`,
  'taken apart': (e: string) => `function main() { const { x = ${e} } = {}; return x }`,
  'an awaited constant': (e: string) => `async function main() { const x = await (${e}); return x }`,
  yielded: (e: string) =>
    `function main() { const all = (function* () { yield (${e}) })(); return all.next().value }`,
  'of a class': (e: string) =>
    `class K { field = ${e}; static make() { return new K().field } }; const main = () => K.make()`,
};

/** The program's globals. `at` returns the names of the program's functions on the stack, each as `at name`. */
const world = {
  at: () =>
    (new Error('x').stack ?? '')
      .split('\n')
      .filter((line) => /project/.test(line))
      .map((line) => line.trim().replace(/ ?\(?\/project.*/, ''))
      .join(' < '),
  yes: true,
  call: (run: (...args: unknown[]) => unknown, ...args: unknown[]) => run(...args),
  Made: class {
    said: unknown;
    constructor(run: () => unknown) {
      this.said = run();
    }
  },
  Base: class {},
  held: {},
  named: null,
};

/** Calls all functions in a value, and returns the functions' names and results. */
async function said(given: unknown): Promise<unknown> {
  const value = await given;
  if (typeof value === 'function') {
    const isClass = /^class/.test(String(value));
    if (!isClass) return [value.name, await said(Reflect.apply(value, undefined, []))];
    const holder = Object.hasOwn(value, 'run') ? value : Reflect.construct(value, []);
    return [value.name, await said(Reflect.get(holder, 'run'))];
  }
  if (Array.isArray(value)) return Promise.all(value.map(said));
  return typeof value === 'object' && value !== null ? said(Object.values(value)) : value;
}

/** Collects the names of each expression's functions in the plain program, the instrumented one and the recorded one. */
async function namesIn(program: (expression: string) => string) {
  const [plain, idle, recorded] = [new Map(), new Map(), new Map()];
  for (const expression of expressions) {
    const source = `${program(expression)}; exports.main = main`;
    const { main: original } = load(source, world);
    plain.set(expression, await said(original?.()));
    const { main } = traced(source, world);
    idle.set(expression, await said(main?.()));
    recorded.set(expression, await said((await record(main)).result));
  }
  return { plain, idle, recorded };
}

test.each(Object.entries(places))(
  'functions have the same names in call stacks as without instrumentation: %s',
  async (_, place) => {
    const { plain, idle, recorded } = await namesIn(place);
    expect(idle).toEqual(plain);
    expect(recorded).toEqual(plain);
  },
);

test.each(Object.entries(placesInPlaces))(
  'call stacks contain no names that the SDK injected: %s',
  async (_, place) => {
    const { plain, idle, recorded } = await namesIn(place);
    const shown = (names: Map<string, unknown>) => JSON.stringify([...names]);
    expect(shown(plain)).toContain('at ');
    expect(shown(idle)).not.toContain('$_');
    expect(shown(recorded)).not.toContain('$_');
  },
);
