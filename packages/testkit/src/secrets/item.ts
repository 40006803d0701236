import type { CapturedValue } from '@throughline/contract';
import { isServicePlace, putInto, type Where } from './places.ts';
import { createDraft, type TraceDraft } from './trace-draft.ts';

/** A value and the trace field that contains it. */
export interface Placed {
  readonly where: Where;
  readonly value: CapturedValue;
}

/** A value to send. Each item is sent in a trace of its own. */
export interface PlacedItem {
  readonly id: string;
  /** Form of the value, such as `name: list of pairs`. Results are counted per form. */
  readonly form: string;
  readonly where: Where;
  /** All values that are put into the trace. The item's own value is the last one. */
  readonly place: readonly Placed[];
}

/** A value that must not be readable anywhere after the trace was sent. */
export interface SecretItem extends PlacedItem {
  readonly kind: 'name' | 'sentence' | 'shape';
  readonly secret: string;
}

/** A value that must still be readable after the trace was sent. */
export interface OrdinaryItem extends PlacedItem {
  readonly text: string;
}

/** A body for `POST /api/ingest/traces`. */
export interface IngestEnvelope {
  readonly sdk: { readonly name: string; readonly version: string };
  readonly service: TraceDraft['service'];
  readonly traces: readonly TraceDraft['trace'][];
}

function buildDraft(item: PlacedItem, startTime: string): TraceDraft {
  const draft = createDraft(startTime);
  Object.assign(draft.trace.attributes, { 'item.id': item.id });
  for (const { where, value } of item.place) putInto(draft, where, value);
  return draft;
}

function envelope(drafts: readonly TraceDraft[], service: TraceDraft['service']): IngestEnvelope {
  return { sdk: { name: 'corpus', version: '1' }, service, traces: drafts.map(({ trace }) => trace) };
}

/** Builds a body with one trace that contains the item. The trace's attribute `item.id` is the item's id. */
export function placeInTrace(item: PlacedItem, startTime = new Date().toISOString()): IngestEnvelope {
  const draft = buildDraft(item, startTime);
  return envelope([draft], draft.service);
}

/**
 * Builds bodies with one trace per item. An item in a field of the service gets a body of its own, because all traces of a body share the
 * service.
 */
export function placeInTraces(
  items: readonly PlacedItem[],
  tracesPerBody: number,
  startTime = new Date().toISOString(),
): IngestEnvelope[] {
  const isOwn = ({ place }: PlacedItem) => place.some(({ where }) => isServicePlace(where));
  const own = items.filter(isOwn);
  const shared = items.filter((item) => !isOwn(item)).map((item) => buildDraft(item, startTime));
  const bodies = own.map((item) => placeInTrace(item, startTime));
  for (let first = 0; first < shared.length; first += tracesPerBody) {
    const some = shared.slice(first, first + tracesPerBody);
    bodies.push(envelope(some, { name: 'shop' }));
  }
  return bodies;
}

/** Lists all strings of a JSON value, with its keys and numbers, one per line: everything that a reader can see. */
export function readableText(value: unknown): string {
  const found: string[] = [];
  const visit = (one: unknown): void => {
    if (typeof one === 'object' && one !== null) {
      for (const [key, inner] of Object.entries(one)) {
        if (!Array.isArray(one)) found.push(key);
        visit(inner);
      }
    } else if (one !== undefined) found.push(String(one));
  };
  visit(value);
  return found.join('\n');
}

/** Minimum length of a secret that counts as readable if half of it is readable. Shorter secrets count only as a whole. */
const MIN_HALVED = 20;

/** True if a text shows a secret, or a significant part of it. */
export function showsSecret(text: string, { secret }: SecretItem): boolean {
  if (secret.length < MIN_HALVED) return text.includes(secret);
  const half = Math.ceil(secret.length / 2);
  return text.includes(secret.slice(-half)) || text.includes(secret.slice(0, half + 4));
}

/** True if a text still shows an ordinary value completely. */
export function showsOrdinary(text: string, item: OrdinaryItem): boolean {
  return text.includes(item.text);
}
