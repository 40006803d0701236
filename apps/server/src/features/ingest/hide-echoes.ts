import { EchoSearch, HiddenTexts, type Redactor } from '@throughline/contract/redaction';
import type { EncodedTrace } from './encode-trace.ts';

/**
 * Encodes a trace without the secrets that it names at one place and repeats at another, under another name: a password that becomes the argument of a hash. Most
 * traces name none that the sender has not hidden already; only where one is repeated is the trace encoded once more.
 */
export function encodeWithoutEchoes(redactor: Redactor, encode: () => EncodedTrace): EncodedTrace {
  const secrets = new Set<string>();
  const encoded = redactor.collectSecrets(secrets, encode);
  if (!isEchoed(secrets, [encoded.traceRow, ...encoded.stepRows])) return encoded;
  return redactor.hideSecrets(new HiddenTexts(secrets), encode);
}

/** Whether one of the secrets seems to stand in rows that are ready to be stored. */
export function isEchoed(secrets: ReadonlySet<string>, rows: readonly Buffer[]): boolean {
  if (secrets.size === 0) return false;
  const search = new EchoSearch(secrets);
  return rows.some((each) => search.isIn(each));
}
