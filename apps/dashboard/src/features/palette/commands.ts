import type { Icon } from '@tabler/icons-react';

/** Something that the palette can do or go to. */
export interface Command {
  readonly id: string;
  readonly group: 'Pages' | 'Projects' | 'Traces' | 'Actions';
  readonly name: string;
  /** Distinguishes commands of the same name; searched too. */
  readonly note?: string;
  readonly icon: Icon;
  readonly run: () => void;
  /** Found by the server for what was typed: shown whatever its name. */
  readonly found?: boolean;
}

/** Traces come a moment later than the others: last, they move nothing. */
const ORDER: readonly Command['group'][] = ['Pages', 'Projects', 'Actions', 'Traces'];
/** So many of a group are listed. */
const MOST = 8;

/**
 * The commands that what was typed may mean, by group. Every word must be found; those whose name begins with the first word come
 * first in their group.
 */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = commands.filter(({ name, note, group, found }) => {
    if (found === true) return true;
    const text = `${name} ${note ?? ''} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const begins = ({ name }: Command) => name.toLowerCase().startsWith(words[0] ?? '');
  return ORDER.flatMap((group) =>
    matching
      .filter((command) => command.group === group)
      .sort((a, b) => Number(begins(b)) - Number(begins(a)))
      .slice(0, MOST),
  );
}
