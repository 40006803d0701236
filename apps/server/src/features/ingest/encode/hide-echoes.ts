import { EchoSearch, HiddenTexts, type Redactor } from '@throughline/contract/redaction';
import type { EncodedTrace } from './encode-trace.ts';

/**
 * Encodes a trace and hides secrets that repeat under another name, such as a password that becomes the argument of a hash function. Most traces
 * contain no secret that the sender has not hidden already; a trace is only encoded a second time if a secret repeats.
 */
export function encodeWithoutEchoes(redactor: Redactor, encode: () => EncodedTrace): EncodedTrace {
  const secrets = new Set<string>();
  const encoded = redactor.collectSecrets(secrets, encode);
  if (!isEchoed(secrets, [encoded.traceRow, ...encoded.stepRows])) return encoded;
  return redactor.hideSecrets(new HiddenTexts(secrets), encode);
}

/** Returns true if one of the secrets appears in encoded rows. */
export function isEchoed(secrets: ReadonlySet<string>, rows: readonly Buffer[]): boolean {
  if (secrets.size === 0) return false;
  const search = new EchoSearch(secrets);
  return rows.some((each) => search.isIn(each));
}
