import { formatBytes, formatCounted, type Trace } from '@throughline/contract';
import { explainSentWithout } from './no-values.ts';

/** Describes what was not recorded or sent, including all values of a request that was sent without values. */
export function describeTruncated(trace: Pick<Trace, 'attributes' | 'dropped'>): string {
  const parts = [describeDropped(trace.dropped), explainSentWithout(trace)];
  return parts.filter((part) => part !== undefined).join('; ') || 'None';
}

/** Describes what was not recorded because of limits. Returns undefined if everything was recorded. */
function describeDropped({ steps, values, bytes }: Trace['dropped']): string | undefined {
  const parts = [
    steps > 0 && formatCounted(steps, 'step'),
    values > 0 && formatCounted(values, 'value'),
    bytes > 0 && `${formatBytes(bytes)} of values`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : parts.join(', ');
}
