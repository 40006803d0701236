import { IconBolt } from '@tabler/icons-react';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, matchCommands } from './commands.ts';

const command = (group: Command['group'], name: string, more: Partial<Command> = {}): Command => ({
  id: `${group} ${name}`,
  group,
  name,
  icon: IconBolt,
  run: () => undefined,
  ...more,
});

const COMMANDS = [
  command('Actions', 'Logout'),
  command('Projects', 'blog'),
  command('Projects', 'login service'),
  command('Pages', 'Dashboard'),
  command('Pages', 'Settings', { note: 'password, two-factor' }),
  command('Traces', 'POST /orders/17', { found: true }),
];
const found = (typed: string) => matchCommands(COMMANDS, typed).map(({ name }) => name);

describe('the commands of the palette', () => {
  it('are all commands, ordered by group, before the user types anything', () => {
    expect(found('')).toEqual([
      'Dashboard',
      'Settings',
      'blog',
      'login service',
      'Logout',
      'POST /orders/17',
    ]);
  });

  it.each([
    ['log', ['login service', 'blog', 'Logout', 'POST /orders/17']],
    ['PASSWORD', ['Settings', 'POST /orders/17']],
    ['projects log', ['blog', 'login service', 'POST /orders/17']],
    ['nothing', ['POST /orders/17']],
  ])(
    'after the text %j is typed are the commands that contain every typed word, the best matches first, and all results of the server',
    (typed, names) => {
      expect(found(typed)).toEqual(names);
    },
  );

  it('are at most eight per group; in each group, the commands whose name begins with the first typed word come first', () => {
    const word = fc.constantFrom('a', 'Ab', 'b', 'ba', 'ro');
    const offered = fc.array(
      fc.record({
        group: fc.constantFrom('Traces', 'Projects', 'Pages'),
        name: fc.array(word, { maxLength: 3 }),
        note: fc.option(word, { nil: undefined }),
        found: fc.boolean(),
      }),
      { maxLength: 60, size: 'max' },
    );
    fc.assert(
      fc.property(offered, fc.array(word, { maxLength: 2 }), (all, words) => {
        const commands = all.map(({ group, name, note, found }, index) =>
          command(group, name.join(' '), { id: String(index), found, ...(note !== undefined && { note }) }),
        );
        const expected = (['Pages', 'Projects', 'Traces'] as const).flatMap((group) => {
          const listed: string[] = [];
          for (const isFirst of [true, false]) {
            for (const one of commands) {
              const [start = ''] = words;
              const begins = one.name.toLowerCase().indexOf(start.toLowerCase()) === 0;
              const places = [one.name, one.note ?? '', one.group];
              const contains = (part: string) => new RegExp(part, 'i').test(places.join('\n'));
              if (one.group !== group || begins !== isFirst) continue;
              if (one.found === true || words.every(contains)) listed.push(one.id);
            }
          }
          return listed.slice(0, 8);
        });
        expect(matchCommands(commands, words.join(' ')).map(({ id }) => id)).toEqual(expected);
      }),
    );
  });
});
