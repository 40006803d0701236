import type { Icon } from '@tabler/icons-react';

/** An action or a page that the palette offers. */
export interface Command {
  readonly id: string;
  readonly group: 'Pages' | 'Views' | 'Projects' | 'Traces' | 'Actions';
  readonly name: string;
  /** Distinguishes commands with the same name. The search includes the note. */
  readonly note?: string;
  readonly icon: Icon;
  readonly run: () => void;
  /** True for an entry that the server found for the typed query. Such an entry is listed even if its name does not match. */
  readonly found?: boolean;
}

/** The group of traces is last: traces arrive later than the other entries, and must not move the other entries. */
const ORDER: readonly Command['group'][] = ['Pages', 'Views', 'Projects', 'Actions', 'Traces'];
/** Maximum number of listed commands per group. */
const MOST = 8;

/**
 * Returns the commands whose name, note or group contains each typed word, and the commands that the server found: at most `MOST` per
 * group. Within a group, commands whose name begins with the first typed word come first.
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
