/**
 * Counts all spans of an OTLP protobuf body, and the spans of kind SERVER. Reads only the protobuf fields `resourceSpans` (1), `scopeSpans`
 * (2), `spans` (2), and a span's `kind` (6).
 */
export function countSpans(body: Buffer): { all: number; entry: number } {
  let all = 0;
  let entry = 0;
  for (const resourceSpans of fields(body, 1)) {
    for (const scopeSpans of fields(resourceSpans, 2)) {
      for (const span of fields(scopeSpans, 2)) {
        all++;
        if (readKind(span) === serverKind) entry++;
      }
    }
  }
  return { all, entry };
}

const serverKind = 2;

function readKind(span: Buffer): number {
  for (const field of walk(span))
    if (field.number === 6 && typeof field.value === 'number') return field.value;
  return 0;
}

function* fields(message: Buffer, wanted: number): Generator<Buffer> {
  for (const { number, value } of walk(message))
    if (number === wanted && typeof value !== 'number') yield value;
}

interface Field {
  readonly number: number;
  readonly value: number | Buffer;
}

function* walk(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const type = key & 7;
    if (type === 0) {
      yield { number: key >>> 3, value: varint() };
      continue;
    }
    const length = type === 1 ? 8 : type === 5 ? 4 : varint();
    yield { number: key >>> 3, value: message.subarray(at, at + length) };
    at += length;
  }
}
