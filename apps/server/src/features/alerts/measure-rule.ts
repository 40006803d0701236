import { ALERT_WINDOW_MINUTES } from '@throughline/contract';
import { toMicros } from '../../platform/clock.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { RuleRow } from './rules-store.ts';
import type { Sources } from './sources.ts';

const MINUTE_MS = 60_000;
/** A service without requests for this long counts as removed, so an alert on missing traffic does not fire for it. */
const KNOWN_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Measures a rule's metric: an error rate in percent, or the P95 in milliseconds. For a rule about missing traffic, returns 0 if a request
 * began within the rule's minutes, and otherwise the number of these minutes. Returns null if nothing could be measured.
 */
export async function measureRule(
  sources: Sources,
  rule: RuleRow,
  project: ShownProject,
  now: Date,
): Promise<number | null> {
  const nowMs = now.getTime();
  const measureSince = (ms: number) =>
    sources.measure(project, rule, { from: toMicros(nowMs - ms), until: toMicros(nowMs) });
  if (rule.kind === 'no_traffic') {
    const minutes = rule.minutes ?? 0;
    const { requests } = await measureSince(minutes * MINUTE_MS);
    if (requests > 0) return 0;
    return (await measureSince(KNOWN_MS)).requests > 0 ? minutes : null;
  }
  const { requests, errors, p95 } = await measureSince(ALERT_WINDOW_MINUTES * MINUTE_MS);
  if (requests === 0) return null;
  return rule.kind === 'error_rate' ? (errors / requests) * 100 : p95;
}
