import { MAX_CHARACTERS } from '@throughline/contract';
import { Redactor } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import { type Attributes, KIND, type SentSpan } from '../decode/sent-span.ts';
import { buildEntryRequest } from './entry-request.ts';
import { createServiceReader } from './sender-details.ts';
import { TakenAttributes } from './taken-attributes.ts';

const KEY = 'ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2';

/** Returns a text in which a cut at `limit` leaves 16 characters of a key. */
function longText(limit: number): string {
  return `${'note/'.repeat(limit).slice(0, limit - 17)}/${KEY}/${'more/'.repeat(400)}`;
}

const SPAN: SentSpan = {
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  parentSpanId: '',
  traceState: '',
  name: 'GET',
  kind: KIND.server,
  startNanos: 0n,
  endNanos: 0n,
  attributes: {},
  events: [],
  links: [],
  status: { code: 0, message: '' },
  dropped: { attributes: 0, events: 0, links: 0 },
};

const readRequest = (attributes: Attributes) =>
  buildEntryRequest(SPAN, new TakenAttributes(attributes), new Redactor());

describe('a key that is cut in two at the end of a text of a span', () => {
  it.each([
    ['method', readRequest({ 'http.request.method': longText(MAX_CHARACTERS.method) }).method],
    ['path', readRequest({ 'http.request.method': 'GET', 'url.path': longText(MAX_CHARACTERS.path) }).path],
    [
      'route',
      readRequest({ 'http.request.method': 'GET', 'http.route': longText(MAX_CHARACTERS.path) }).route,
    ],
    [
      'URL',
      readRequest({
        'http.request.method': 'GET',
        'url.full': `http://h/${longText(MAX_CHARACTERS.url - 9)}`,
      }).url,
    ],
    [
      'query',
      JSON.stringify(
        readRequest({ 'http.request.method': 'GET', 'url.query': `a=${longText(MAX_CHARACTERS.url - 2)}` })
          .query,
      ),
    ],
    [
      'name of the service',
      createServiceReader(new Redactor())({
        resource: { 'service.name': longText(MAX_CHARACTERS.service) },
        scope: { name: '', version: '', attributes: {} },
      }).service.name,
    ],
  ])('is not readable in the %s', (_field, shown) => {
    expect(shown).toContain('redacted');
    expect(shown).not.toContain('ghp_');
  });
});
