/** An attribute's value in OTLP's JSON encoding. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }
  | { readonly kvlistValue: { readonly values: readonly OtlpAttribute[] } }
  | { readonly bytesValue: string };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

/** A span in OTLP's JSON encoding. Ids are hexadecimal, times are decimal. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly events?: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes?: readonly OtlpAttribute[];
  }[];
  readonly status?: { readonly code: number; readonly message?: string };
}

export interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version?: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

/** Builds attributes from plain values. */
export function otlpAttributes(values: Readonly<Record<string, string | number | boolean>>): OtlpAttribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: string | number | boolean): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Builds a request that contains spans of one service. */
export function otlpRequest(service: string, spans: readonly OtlpSpan[]): OtlpRequest {
  const resource = { attributes: otlpAttributes({ 'service.name': service }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'test' }, spans }] }] };
}

/**
 * Encodes the request in protobuf's wire format, with the field numbers of
 * opentelemetry/proto/trace/v1/trace.proto.
 */
export function otlpProtobuf({ resourceSpans }: OtlpRequest): Buffer<ArrayBuffer> {
  return Buffer.concat(
    resourceSpans.map(({ resource, scopeSpans }) =>
      message(1, [
        message(1, attributes(1, resource.attributes)),
        ...scopeSpans.map(({ scope, spans }) =>
          message(2, [
            message(1, [text(1, scope.name), text(2, scope.version)]),
            ...spans.map((span) => message(2, spanFields(span))),
          ]),
        ),
      ]),
    ),
  );
}

function spanFields(span: OtlpSpan): Buffer[] {
  return [
    bytes(1, Buffer.from(span.traceId, 'hex')),
    bytes(2, Buffer.from(span.spanId, 'hex')),
    text(3, span.traceState),
    span.parentSpanId === undefined ? NOTHING : bytes(4, Buffer.from(span.parentSpanId, 'hex')),
    text(5, span.name),
    number(6, BigInt(span.kind)),
    fixed64(7, BigInt(span.startTimeUnixNano)),
    fixed64(8, BigInt(span.endTimeUnixNano)),
    ...attributes(9, span.attributes),
    ...(span.events ?? []).map((event) =>
      message(11, [
        fixed64(1, BigInt(event.timeUnixNano)),
        text(2, event.name),
        ...attributes(3, event.attributes),
      ]),
    ),
    span.status === undefined
      ? NOTHING
      : message(15, [text(2, span.status.message), number(3, BigInt(span.status.code))]),
  ];
}

function attributes(field: number, list: readonly OtlpAttribute[] = []): Buffer[] {
  return list.map(({ key, value }) => message(field, [text(1, key), message(2, [anyValue(value)])]));
}

function anyValue(value: OtlpValue): Buffer {
  if ('stringValue' in value) return bytes(1, Buffer.from(value.stringValue));
  if ('boolValue' in value) return number(2, value.boolValue ? 1n : 0n);
  if ('intValue' in value) return number(3, BigInt.asUintN(64, BigInt(value.intValue)));
  if ('doubleValue' in value) return double(4, value.doubleValue);
  if ('arrayValue' in value) {
    return message(
      5,
      value.arrayValue.values.map((item) => message(1, [anyValue(item)])),
    );
  }
  if ('kvlistValue' in value) return message(6, attributes(1, value.kvlistValue.values));
  return bytes(7, Buffer.from(value.bytesValue, 'base64'));
}

const NOTHING = Buffer.alloc(0);

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function text(field: number, value: string | undefined): Buffer {
  return value === undefined ? NOTHING : bytes(field, Buffer.from(value));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(BigInt(field * 8 + 2)), varint(BigInt(value.length)), value]);
}

function number(field: number, value: bigint): Buffer {
  return Buffer.concat([varint(BigInt(field * 8)), varint(value)]);
}

function fixed64(field: number, value: bigint): Buffer {
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(value);
  return Buffer.concat([varint(BigInt(field * 8 + 1)), eight]);
}

function double(field: number, value: number): Buffer {
  const eight = Buffer.alloc(8);
  eight.writeDoubleLE(value);
  return Buffer.concat([varint(BigInt(field * 8 + 1)), eight]);
}

function varint(value: bigint): Buffer {
  const all: number[] = [];
  let rest = value;
  while (rest > 127n) {
    all.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...all, Number(rest)]);
}

export const PROTOBUF_TYPE = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';
export type OtlpBody = string | Uint8Array<ArrayBuffer>;

/** Sends any body, valid or not, to `/v1/traces`. The content type is protobuf unless `headers` contains another content type. */
export async function postSpans(
  server: { readonly url: string },
  apiKey: string,
  body: OtlpBody,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': PROTOBUF_TYPE, 'x-api-key': apiKey, ...headers },
    body,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, type: answer.headers.get('content-type'), bytes };
}

/** Sends spans as protobuf. Throws unless the server accepts all of them. */
export async function sendSpans(
  server: { readonly url: string },
  apiKey: string,
  request: OtlpRequest,
): Promise<void> {
  const { status, bytes } = await postSpans(server, apiKey, otlpProtobuf(request));
  if (status !== 200 || bytes.length > 0)
    throw new Error(`not all spans were accepted: ${status} ${bytes.toString()}`);
}

/** Id and start time (a minute ago, in epoch ns) of the trace that contains the spans of {@link otlpSpan}. */
export const OTLP_TRACE = 'abcdef0123456789abcdef0123456789';
export const OTLP_START = BigInt(Date.now() - 60_000) * 1_000_000n;

export function otlpSpanId(id: number): string {
  return id.toString(16).padStart(16, '0');
}

/** Builds a span of 5 ms. Without a parent, it is a server span. */
export function otlpSpan(id: number, parent: number | undefined, given: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId: OTLP_TRACE,
    spanId: otlpSpanId(id),
    ...(parent === undefined ? {} : { parentSpanId: otlpSpanId(parent) }),
    name: `span ${id}`,
    kind: parent === undefined ? 2 : 1,
    startTimeUnixNano: String(OTLP_START + BigInt(id)),
    endTimeUnixNano: String(OTLP_START + BigInt(id) + 5_000_001n),
    ...given,
  };
}
