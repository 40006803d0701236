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
  it('are all commands, in the order of the groups, before anything is typed', () => {
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
    "that match %j contain every word, with matching beginnings first, and include the server's results",
    (typed, names) => {
      expect(found(typed)).toEqual(names);
    },
  );

  it('are at most eight per group, each listed once', () => {
    const names = fc.array(fc.string({ maxLength: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(names, fc.string({ maxLength: 3 }), (all, typed) => {
        const commands = all.map((name, index) => command('Projects', name, { id: String(index) }));
        const matching = matchCommands(commands, typed);
        expect(matching.length).toBeLessThanOrEqual(8);
        expect(new Set(matching).size).toBe(matching.length);
      }),
    );
  });
});
