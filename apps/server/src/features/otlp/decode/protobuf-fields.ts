/** Combines a field's number with protobuf's wire type: 0 varint, 1 fixed64, 2 length-delimited. */
const varint = (field: number) => field * 8;
const fixed64 = (field: number) => field * 8 + 1;
const bytes = (field: number) => field * 8 + 2;

export const REQUEST = { resourceSpans: bytes(1) } as const;
export const RESOURCE_SPANS = { resource: bytes(1), scopeSpans: bytes(2) } as const;
export const RESOURCE = { attributes: bytes(1) } as const;
export const SCOPE_SPANS = { scope: bytes(1), spans: bytes(2) } as const;
export const SCOPE = { name: bytes(1), version: bytes(2), attributes: bytes(3) } as const;
export const SPAN = {
  traceId: bytes(1),
  spanId: bytes(2),
  traceState: bytes(3),
  parentSpanId: bytes(4),
  name: bytes(5),
  kind: varint(6),
  start: fixed64(7),
  end: fixed64(8),
  attributes: bytes(9),
  droppedAttributes: varint(10),
  events: bytes(11),
  droppedEvents: varint(12),
  links: bytes(13),
  droppedLinks: varint(14),
  status: bytes(15),
} as const;
export const EVENT = { time: fixed64(1), name: bytes(2), attributes: bytes(3) } as const;
export const LINK = { traceId: bytes(1), spanId: bytes(2), attributes: bytes(4) } as const;
export const STATUS = { message: bytes(2), code: varint(3) } as const;
export const KEY_VALUE = { key: bytes(1), value: bytes(2) } as const;
export const ANY = {
  string: bytes(1),
  bool: varint(2),
  int: varint(3),
  double: fixed64(4),
  array: bytes(5),
  kvlist: bytes(6),
  bytes: bytes(7),
} as const;
export const LIST = { values: bytes(1) } as const;
