import type { Trace } from '@throughline/contract';
import { formatBytes } from '../../visuals/values/value-summary.ts';

/** What the limits of a recording cut, in words; undefined where they cut nothing. */
export function droppedText({ steps, values, bytes }: Trace['dropped']): string | undefined {
  const parts = [
    steps > 0 && counted(steps, 'step'),
    values > 0 && counted(values, 'value'),
    bytes > 0 && `${formatBytes(bytes)} of values`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}
