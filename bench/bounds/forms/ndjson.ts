import { SMALL_TRACE } from '../bodies/native-json.ts';
import { FULL_BYTES, fill, join, numbered } from '../bodies/pieces.ts';
import type { HostileForm } from '../form.ts';
import { postedForm } from '../posted-forms.ts';

const lines = postedForm.bind(undefined, 'NDJSON');

/** NDJSON bodies, one trace per line. */
export const NDJSON: readonly HostileForm[] = [
  lines('60 MB of line ends', () => fill('\n')),
  lines('60 MB of line ends', () => fill('\n'), 'br'),
  lines('60 MB of line ends', () => fill('\n'), 'zstd'),
  lines('7.9 MB of line ends', () => fill('\n', 7.9 * 1024 * 1024), 'identity'),
  lines('30 million line ends of two bytes', () => fill('\r\n')),
  lines('20 million empty traces', () => fill('{}\n')),
  lines('30 million numbers', () => fill('1\n')),
  lines('30 million lists that never end', () => fill('[\n')),
  lines('a line of 60 MB', () => join('{"a":"', fill('a'), '"}\n')),
  lines('a line of 60 million lists', () => fill('[')),
  lines('30 million levels in one line', () => join(fill('[', FULL_BYTES / 2), fill(']', FULL_BYTES / 2))),
  lines('60 MB of spaces in a line', () => join(fill(' '), '\n')),
  lines('9,900 small traces', () => numbered(9900, () => `${SMALL_TRACE}\n`)),
  lines('200,000 small traces', () => numbered(200_000, () => `${SMALL_TRACE}\n`)),
  lines('a small trace, and 60 MB of line ends', () => join(`${SMALL_TRACE}\n`, fill('\n'))),
];
