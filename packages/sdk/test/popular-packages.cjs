const { failure, useAll } = require('./use-packages.cjs');

const exercises = {
  lodash() {
    const _ = require('lodash');
    const people = [
      { name: 'Ada', age: 36, tags: ['math'] },
      { name: 'Grace', age: 85, tags: ['navy', 'compilers'] },
      { name: 'Alan', age: 41, tags: [] },
    ];
    let calls = 0;
    const once = _.once(() => ++calls);
    once();
    once();
    return [
      _.chain(people).sortBy('age').map('name').reverse().value(),
      _.groupBy(people, ({ age }) => age > 40),
      _.merge({}, people[0], { tags: ['poetry'] }),
      _.cloneDeep(people),
      _.curry((a, b, c) => [a, b, c])(1)(2, 3),
      _.template('Hi <%= name %> <% _.each(tags, function (t) { %><b><%- t %></b><% }) %>')(people[1]),
      _.range(5).map(_.flow([(n) => n * 2, String])),
      _.debounce.length,
      _.memoize((n) => n * 2)(4),
      _.partialRight(_.max, [1, 2])(),
      _.mapValues({ a: 1, b: 2 }, (v) => v + 1),
      _.words('fred, barney, & pebbles'),
      _.isEqual(new Map([[1, { a: 2 }]]), new Map([[1, { a: 2 }]])),
      _.get({ a: [{ b: { c: 3 } }] }, 'a[0].b.c'),
      _.kebabCase('fooBarBaz'),
      calls,
    ];
  },
  qs() {
    const qs = require('qs');
    const text = 'a[b][c]=1&a[b][d][]=2&a[b][d][]=3&e=%F0%9F%98%80&f&g.h=4&i[0]=x&i[2]=y';
    return [
      qs.parse(text, { allowDots: true }),
      qs.stringify(qs.parse(text)),
      qs.stringify({ a: [1, 2], b: null, c: undefined, d: new Date(0) }, { arrayFormat: 'brackets' }),
      failure(() => qs.parse('a[b]=1&a[c]=2', { parameterLimit: 1, throwOnLimitExceeded: true })),
    ];
  },
  ms() {
    const ms = require('ms');
    return [ms('2 days'), ms('-1.5h'), ms(60000), ms(2 * 60000, { long: true }), failure(() => ms(''))];
  },
  semver() {
    const semver = require('semver');
    return [
      semver.inc('1.2.3', 'prerelease', 'beta'),
      semver.satisfies('1.2.3', '1.x || >=2.5.0 || 5.0.0 - 7.2.3'),
      semver.maxSatisfying(['1.0.0', '1.4.9', '2.0.0-rc.1'], '^1.2 || ~2.0.0-rc'),
      new semver.Range('>1 <=3.4 || 7').range,
      semver.coerce('v42.6 beta')?.version,
      semver.sort(['1.10.0', '1.2.0', '1.2.0-a.10', '1.2.0-a.9']),
      failure(() => new semver.SemVer('one')),
    ];
  },
  yaml() {
    const yaml = require('yaml');
    const text =
      '# c\na: &x [1, 2.5, ~]\nb:\n  <<: {k: v}\n  t: !!set {p, q}\n  s: |\n    line\n     more\nr: *x\n';
    const document = yaml.parseDocument(text);
    document.setIn(['b', 'new'], new Date(0));
    return [
      yaml.parse(text),
      document.toString(),
      yaml.stringify({ deep: { list: [{ a: 1 }, 'x: y', ''] }, long: 'word '.repeat(30) }),
      failure(() => yaml.parse('a: [1,\nb: }')),
    ];
  },
  'js-yaml'() {
    const yaml = require('js-yaml');
    return [
      yaml.load('a: [1, {b: 2}]\nd: 2001-12-14\n'),
      yaml.dump({ x: [1, { y: 'z\n' }], n: null }),
      failure(() => yaml.load('a:\n\t- b')),
    ];
  },
  zod() {
    const { z } = require('zod');
    const order = z.object({
      id: z.coerce.number().int(),
      lines: z.array(z.object({ sku: z.string().min(2), n: z.number().default(1) })).nonempty(),
      kind: z.discriminatedUnion('type', [
        z.object({ type: z.literal('a'), a: z.string() }),
        z.object({ type: z.literal('b'), b: z.bigint().optional() }),
      ]),
      when: z
        .string()
        .transform((text) => text.length)
        .pipe(z.number().max(10)),
    });
    const wrong = order.safeParse({
      id: 'x',
      lines: [{ sku: 'a' }],
      kind: { type: 'c' },
      when: 'long ago, very long',
    });
    return [
      order.parse({ id: '7', lines: [{ sku: 'tea' }], kind: { type: 'a', a: '' }, when: 'now' }),
      wrong.error.issues,
      failure(() =>
        z
          .string()
          .refine((text) => text > 'm', 'too early')
          .parse('a'),
      ),
    ];
  },
  ini: () => require('ini').parse(require('ini').stringify({ a: { b: ['1', '2'] }, 'c.d': true })),
  'smol-toml'() {
    const toml = require('smol-toml');
    const parsed = toml.parse('t = 1979-05-27T07:32:00Z\n[a.b]\nx = [1, 0x1F, 1e3]\n[[c]]\ny = "\\u00e9"\n');
    return [parsed, toml.stringify(parsed), failure(() => toml.parse('a = [1,'))];
  },
  picomatch: () => [
    require('picomatch')('src/**/*.{js,ts}')('src/a/b.ts'),
    require('picomatch').makeRe('!(a|b)*').source,
  ],
  minimatch() {
    const { braceExpand, minimatch } = require('minimatch');
    return [
      minimatch('a/b/c.js', '**/[a-c].+(js|ts)'),
      braceExpand('{a,b{1..3}}x'),
      minimatch('a', '!(b|c)'),
    ];
  },
  'path-to-regexp'() {
    const { compile, match, parse } = require('path-to-regexp');
    return [
      match('/users{/:id}/*rest')('/users/7/a/b'),
      compile('/:a-:b')({ a: 'x y', b: '1' }),
      parse('/a{:b}').tokens,
      failure(() => parse('/:')),
    ];
  },
  'fast-check'() {
    const fc = require('fast-check');
    const sample = fc.sample(fc.record({ n: fc.nat(), s: fc.string(), l: fc.array(fc.boolean()) }), {
      seed: 7,
      numRuns: 20,
    });
    const broken = fc.check(
      fc.property(fc.array(fc.nat()), (list) => list.length < 3 || list[0] < 5),
      { seed: 7 },
    );
    return [sample, broken.counterexample, broken.numShrinks];
  },
  acorn() {
    const acorn = require('acorn');
    const tree = acorn.parse(`({ ${exercises.lodash} })`, { ecmaVersion: 'latest', sourceType: 'script' });
    return [JSON.stringify(tree).length, failure(() => acorn.parse('a = ;', { ecmaVersion: 2020 }))];
  },
  ajv() {
    const Ajv = require('ajv');
    const ajv = new Ajv({ allErrors: true });
    const lines = { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } };
    const line = {
      type: 'object',
      properties: { sku: { type: 'string', pattern: '^[a-z]+$' }, n: { type: 'integer', minimum: 1 } },
      required: ['sku'],
      additionalProperties: false,
    };
    const check = ajv.compile({ $defs: { line }, type: 'object', properties: { lines } });
    return [
      check({ lines: [{ sku: 'tea', n: 2 }] }),
      check({ lines: [{ sku: 'TEA', n: 0, x: 1 }, {}] }),
      check.errors,
      failure(() => ajv.compile({ type: 'nothing' })),
    ];
  },
  'lru-cache'() {
    const { LRUCache } = require('lru-cache');
    const gone = [];
    const cache = new LRUCache({ max: 2, dispose: (value, key, reason) => gone.push([value, key, reason]) });
    for (const n of [1, 2, 1, 3, 4]) if (cache.get(n) === undefined) cache.set(n, n * n);
    return [[...cache.entries()], gone, cache.dump().map(([key, { value }]) => [key, value])];
  },
  'ip-address': () => new (require('ip-address').Address6)('::ffff:192.168.0.1/128').to4().address,
  async commander() {
    const { Command } = await import('commander');
    const seen = [];
    const program = new Command('tool')
      .exitOverride()
      .configureOutput({ writeErr: (text) => seen.push(text) });
    program
      .option('-p, --port <n>', 'port', Number, 80)
      .argument('[files...]')
      .action((files, options) => seen.push(files, options));
    await program.parseAsync(['-p', '8080', 'a', 'b'], { from: 'user' });
    return [
      seen,
      program.helpInformation(),
      failure(() => program.parse(['--what'], { from: 'user' })),
      seen,
    ];
  },
};

useAll(exercises);
