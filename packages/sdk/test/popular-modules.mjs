import { parse as parseScript } from 'acorn';
import { Command } from 'commander';
import * as fc from 'fast-check';
import yaml from 'js-yaml';
import { LRUCache } from 'lru-cache';
import { Marked } from 'marked';
import { braceExpand, minimatch } from 'minimatch';
import { parse as parseToml, stringify } from 'smol-toml';
import * as uuid from 'uuid';
import { z } from 'zod';
import { failure, useAll } from './use-packages.cjs';

useAll({
  zod() {
    const node = z.object({
      name: z.string().trim().min(1),
      get below() {
        return z.array(node).optional();
      },
    });
    const level = z.enum(['low', 'high']).catch('low');
    return [
      node.parse({ name: ' root ', below: [{ name: 'leaf' }] }),
      node.safeParse({ name: '', below: [{ below: 3 }] }).error.issues,
      level.parse('none'),
      z.toJSONSchema(z.object({ level, n: z.int().optional() })),
    ];
  },
  'smol-toml': () => [
    parseToml('a.b = [1, 2.5]\n[c]\nd = 2001-12-14'),
    stringify({ a: { b: [true, 'x'] } }),
    failure(() => parseToml('a = 1\na = 2')),
  ],
  'lru-cache': async () => {
    const asked = [];
    const cache = new LRUCache({ max: 2, fetchMethod: async (key) => asked.push(key) });
    const all = await Promise.allSettled(['a', 'a', 'b', 'c'].map((key) => cache.fetch(key)));
    const given = all.map(({ value, reason }) => value ?? reason.message);
    return [given, asked, [...cache.keys()], cache.peek('a') ?? null];
  },
  minimatch: () => [minimatch('src/a.test.ts', '**/*.@(test|spec).ts'), braceExpand('{1..4..2}-{x,y}')],
  'fast-check'() {
    const model = fc.commands([fc.constant({ check: () => true, run() {}, toString: () => 'go' })], {
      maxCommands: 5,
    });
    const broken = fc.check(
      fc.property(fc.string(), fc.integer(), (text, n) => text.length * n < 40),
      { seed: 11 },
    );
    return [fc.sample(model, { seed: 3, numRuns: 5 }).map(String), broken.counterexample, broken.numRuns];
  },
  acorn: () => [
    JSON.stringify(
      parseScript('export const f = async (a, { b = 1 }, ...c) => `x` + (await a?.b ?? c)', {
        ecmaVersion: 'latest',
        sourceType: 'module',
      }),
    ).length,
    failure(() => parseScript('await 1', { ecmaVersion: 2017 })),
  ],
  'js-yaml': () => [
    yaml.load('- &a {x: 1}\n- <<: *a\n  y: [~, 0x1f, .inf]\n- !!binary aGk='),
    yaml.dump([{ text: 'a\nb', list: [] }, -0.5], { flowLevel: 1 }),
    failure(() => yaml.load('{a: ]')),
  ],
  marked() {
    const walkTokens = (token) => {
      if (token.type === 'heading') token.depth += 1;
    };
    const marked = new Marked({ walkTokens });
    marked.use({ renderer: { link: ({ href, text }) => `<${href} ${text}>` } });
    const text =
      '# A *b* `c`\n\n| x | y |\n|--:|---|\n| 1 | [z](/u) |\n\n1. one\n   - two\n\n> q\n\n```js\na < b\n```\n';
    return [marked.parse(text), marked.lexer(text).map(({ type }) => type)];
  },
  uuid: () => [
    uuid.v5('throughline', uuid.v5.URL),
    uuid.v7({ msecs: 1_700_000_000_000, random: new Uint8Array(16).fill(7) }),
    uuid.parse('0190b0c0-1111-7222-8333-444455556666').length,
    failure(() => uuid.parse('none')),
    uuid.validate(uuid.v4()),
  ],
  async commander() {
    const seen = [];
    const program = new Command('shop')
      .exitOverride()
      .configureOutput({ writeErr: (text) => seen.push(text) });
    program
      .command('sell <item>')
      .requiredOption('-n, --count <n>', 'how many', Number)
      .hook('preAction', (_, { args }) => seen.push(args))
      .action(async (item, { count }) => seen.push(item, count));
    await program.parseAsync(['sell', 'tea', '-n', '3'], { from: 'user' });
    return [seen, failure(() => program.parse(['sell', 'tea'], { from: 'user' })), program.helpInformation()];
  },
});
