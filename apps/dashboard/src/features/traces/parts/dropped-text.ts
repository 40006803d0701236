import { formatBytes, formatCounted, type Trace } from '@throughline/contract';

/** Describes what was not recorded because of limits. Returns undefined if everything was recorded. */
export function describeDropped({ steps, values, bytes }: Trace['dropped']): string | undefined {
  const parts = [
    steps > 0 && formatCounted(steps, 'step'),
    values > 0 && formatCounted(values, 'value'),
    bytes > 0 && `${formatBytes(bytes)} of values`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}
