import { formatBytes, formatCounted, type Trace } from '@throughline/contract';

/** Says what the limits of a recording cut; undefined if they cut nothing. */
export function droppedText({ steps, values, bytes }: Trace['dropped']): string | undefined {
  const parts = [
    steps > 0 && formatCounted(steps, 'step'),
    values > 0 && formatCounted(values, 'value'),
    bytes > 0 && `${formatBytes(bytes)} of values`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}
