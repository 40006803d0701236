import type { CapturedValue } from '@throughline/contract';
import type { OtlpAttribute, OtlpRequest, OtlpSpan, OtlpValue } from '../otlp.ts';
import type { PlacedItem } from './item.ts';

type Resource = OtlpRequest['resourceSpans'][number];

/** Parts of an OTLP request with a resource, an entry span and its child span. A test puts one item, such as a secret, into a part. */
interface SpanDraft {
  readonly resource: OtlpAttribute[];
  readonly scope: { name: string; version?: string };
  readonly entry: OtlpAttribute[];
  readonly inner: OtlpAttribute[];
  readonly exception: OtlpAttribute[];
  entryName: string;
  innerName: string;
  eventName: string;
  status: string;
}

type Put = (draft: SpanDraft, value: OtlpValue, text: string) => void;

const attribute =
  (list: 'resource' | 'entry' | 'inner' | 'exception', key: string): Put =>
  (draft, value) =>
    void draft[list].push({ key, value });

const attributeName =
  (list: 'resource' | 'entry' | 'inner'): Put =>
  (draft, _value, text) =>
    void draft[list].push({ key: text, value: { stringValue: 'x' } });

/** Functions that write an item into a field of the draft, by the description of the field. */
const SPAN_PUTS: Readonly<Record<string, Put>> = {
  'name of an entry span': (draft, _value, text) => void Object.assign(draft, { entryName: text }),
  'name of a span': (draft, _value, text) => void Object.assign(draft, { innerName: text }),
  'name of an event': (draft, _value, text) => void Object.assign(draft, { eventName: text }),
  'message of a status': (draft, _value, text) => void Object.assign(draft, { status: text }),
  'name of a scope': (draft, _value, text) => void Object.assign(draft.scope, { name: text }),
  'version of a scope': (draft, _value, text) => void Object.assign(draft.scope, { version: text }),
  'attribute of an entry span': attribute('entry', 'app.note'),
  'attribute of a span': attribute('inner', 'app.note'),
  'attribute of a resource': attribute('resource', 'app.note'),
  "attribute's name, of an entry span": attributeName('entry'),
  "attribute's name, of a span": attributeName('inner'),
  "attribute's name, of a resource": attributeName('resource'),
  'service.version': attribute('resource', 'service.version'),
  'deployment.environment.name': attribute('resource', 'deployment.environment.name'),
  'exception.message': attribute('exception', 'exception.message'),
  'exception.type': attribute('exception', 'exception.type'),
  'exception.stacktrace': attribute('exception', 'exception.stacktrace'),
  'url.path': attribute('entry', 'url.path'),
  'url.query': attribute('entry', 'url.query'),
  'url.full': attribute('inner', 'url.full'),
  'http.target': attribute('entry', 'http.target'),
  'http.route': attribute('entry', 'http.route'),
  'http.request.header.x-note': attribute('entry', 'http.request.header.x-note'),
  'user_agent.original': attribute('entry', 'user_agent.original'),
  'db.query.text': attribute('inner', 'db.query.text'),
  'db.statement': attribute('inner', 'db.statement'),
  'code.function.name': attribute('inner', 'code.function.name'),
  'code.file.path': attribute('inner', 'code.file.path'),
  'enduser.id': attribute('entry', 'enduser.id'),
  'session.id': attribute('entry', 'session.id'),
  'error.type': attribute('entry', 'error.type'),
};

const SPAN_PLACES = Object.entries(SPAN_PUTS);

/** Converts a captured value to OTLP. Objects with a `$type`, such as a captured Map, are converted like other objects. */
function toOtlp(value: CapturedValue): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (value === null) return { stringValue: '' };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toOtlp) } };
  const values = Object.entries(value).map(([key, inner]) => ({ key, value: toOtlp(inner) }));
  return { kvlistValue: { values } };
}

export interface PlacedInSpans {
  readonly item: PlacedItem;
  /** Name of the field that contains the item. */
  readonly where: string;
}

const hex = (digits: number, value: number) => value.toString(16).padStart(digits, 'e');

/**
 * Builds a request with one entry span per item, and lists where each item is. Strings can be in any field, other values are attributes; an
 * item of two values has one value in each span. The entry span's attribute `item.id` is the item's id. `from` is the number of items in
 * earlier requests: it selects the first field and the first trace id, so that different requests begin with different fields and trace
 * ids.
 */
export function placeInSpans(
  items: readonly PlacedItem[],
  startNs: bigint,
  from = 0,
): { readonly request: OtlpRequest; readonly placed: readonly PlacedInSpans[] } {
  const placed: PlacedInSpans[] = [];
  const resourceSpans: Resource[] = [];
  for (const [index, item] of items.entries()) {
    const [first, second] = item.place;
    if (first === undefined) continue;
    const { value } = first;
    if (second !== undefined) {
      const draft = createSpanDraft(item.id);
      attribute('entry', 'app.note')(draft, toOtlp(value), '');
      attribute('inner', 'app.note')(draft, toOtlp(second.value), '');
      placed.push({ item, where: 'attributes of two spans' });
      resourceSpans.push(toResource(draft, from + index, startNs));
      continue;
    }
    const places =
      typeof value === 'string' ? SPAN_PLACES : SPAN_PLACES.filter(([name]) => /^attribute of/.test(name));
    const [where, put] = places[(from + index) % places.length] ?? [];
    if (where === undefined || put === undefined) continue;
    const draft = createSpanDraft(item.id);
    put(draft, toOtlp(value), typeof value === 'string' ? value : '');
    placed.push({ item, where });
    resourceSpans.push(toResource(draft, from + index, startNs));
  }
  return { request: { resourceSpans }, placed };
}

function createSpanDraft(id: string): SpanDraft {
  return {
    resource: [{ key: 'service.name', value: { stringValue: 'shop' } }],
    scope: { name: 'corpus' },
    entry: [{ key: 'item.id', value: { stringValue: id } }],
    inner: [],
    exception: [],
    entryName: 'GET /orders',
    innerName: 'charge',
    eventName: 'exception',
    status: 'declined',
  };
}

function toResource(draft: SpanDraft, number: number, startNs: bigint): Resource {
  const span = (id: number, given: Partial<OtlpSpan>): OtlpSpan => ({
    traceId: hex(32, number),
    spanId: hex(16, id),
    name: draft.entryName,
    kind: 2,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + 5_000_000n),
    attributes: draft.entry,
    ...given,
  });
  const entry = span(2 * number + 1, { status: { code: 2, message: draft.status } });
  const inner = span(2 * number + 2, {
    parentSpanId: entry.spanId,
    name: draft.innerName,
    kind: 1,
    attributes: draft.inner,
    events: [{ name: draft.eventName, timeUnixNano: String(startNs), attributes: draft.exception }],
  });
  return {
    resource: { attributes: draft.resource },
    scopeSpans: [{ scope: draft.scope, spans: [entry, inner] }],
  };
}
