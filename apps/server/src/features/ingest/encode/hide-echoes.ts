import { EchoSearch, HiddenTexts, type Redactor } from '@throughline/contract/redaction';
import type { EncodedTrace } from './encode-trace.ts';

/**
 * Encodes a trace and also hides secrets that appear again under another name, such as a password passed to a hash function.
 * Most traces contain only secrets that the sender has already redacted. A trace is encoded a second time only if a secret appears again.
 */
export function encodeWithoutEchoes(redactor: Redactor, encode: () => EncodedTrace): EncodedTrace {
  const secrets = new Set<string>();
  const encoded = redactor.collectSecrets(secrets, encode);
  if (!isEchoed(secrets, [encoded.traceRow, ...encoded.stepRows])) return encoded;
  return redactor.hideSecrets(new HiddenTexts(secrets), encode);
}

export function isEchoed(secrets: ReadonlySet<string>, rows: readonly Buffer[]): boolean {
  if (secrets.size === 0) return false;
  const search = new EchoSearch(secrets);
  return rows.some((each) => search.isIn(each));
}
