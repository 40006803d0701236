/** Combines a field's number with protobuf's wire type: 0 varint, 1 fixed64, 2 length-delimited. */
const tagVarint = (field: number) => field * 8;
const tagFixed64 = (field: number) => field * 8 + 1;
const tagBytes = (field: number) => field * 8 + 2;

export const REQUEST = { resourceSpans: tagBytes(1) } as const;
export const RESOURCE_SPANS = { resource: tagBytes(1), scopeSpans: tagBytes(2) } as const;
export const RESOURCE = { attributes: tagBytes(1) } as const;
export const SCOPE_SPANS = { scope: tagBytes(1), spans: tagBytes(2) } as const;
export const SCOPE = { name: tagBytes(1), version: tagBytes(2), attributes: tagBytes(3) } as const;
export const SPAN = {
  traceId: tagBytes(1),
  spanId: tagBytes(2),
  traceState: tagBytes(3),
  parentSpanId: tagBytes(4),
  name: tagBytes(5),
  kind: tagVarint(6),
  start: tagFixed64(7),
  end: tagFixed64(8),
  attributes: tagBytes(9),
  droppedAttributes: tagVarint(10),
  events: tagBytes(11),
  droppedEvents: tagVarint(12),
  links: tagBytes(13),
  droppedLinks: tagVarint(14),
  status: tagBytes(15),
} as const;
export const EVENT = { time: tagFixed64(1), name: tagBytes(2), attributes: tagBytes(3) } as const;
export const LINK = { traceId: tagBytes(1), spanId: tagBytes(2), attributes: tagBytes(4) } as const;
export const STATUS = { message: tagBytes(2), code: tagVarint(3) } as const;
export const KEY_VALUE = { key: tagBytes(1), value: tagBytes(2) } as const;
export const ANY = {
  string: tagBytes(1),
  bool: tagVarint(2),
  int: tagVarint(3),
  double: tagFixed64(4),
  array: tagBytes(5),
  kvlist: tagBytes(6),
  bytes: tagBytes(7),
} as const;
export const LIST = { values: tagBytes(1) } as const;
