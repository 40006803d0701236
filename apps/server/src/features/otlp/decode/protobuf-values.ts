import type { CapturedValue } from '@throughline/contract/values';
import { ANY, KEY_VALUE, LIST } from './protobuf-fields.ts';
import type { RequestCounts } from './request-counts.ts';
import { type Attributes, encodeDouble, encodeInteger, encodeObject, setAttribute } from './sent-span.ts';
import type { WireReader } from './wire-reader.ts';

/** Reads OTLP's KeyValue and AnyValue in protobuf, and counts each value before it is created. */
export class ValueReader {
  readonly #reader: WireReader;
  readonly #counts: RequestCounts;

  constructor(reader: WireReader, counts: RequestCounts) {
    this.#reader = reader;
    this.#counts = counts;
  }

  /** Reads a KeyValue into `into`; the last value of a repeated name wins. */
  readKeyValue(into: Attributes, depth: number): true {
    const reader = this.#reader;
    this.#counts.addValue(depth);
    let key = '';
    let value: CapturedValue = null;
    const outer = reader.enter();
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      if (tag === KEY_VALUE.key) key = reader.name();
      else if (tag === KEY_VALUE.value) value = this.#readAny(depth);
      else reader.skip();
    }
    reader.leave(outer);
    setAttribute(into, key, value);
    return true;
  }

  #readAny(depth: number): CapturedValue {
    const reader = this.#reader;
    let value: CapturedValue = null;
    const outer = reader.enter();
    for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
      switch (tag) {
        case ANY.string:
          value = reader.string();
          break;
        case ANY.bool:
          value = reader.varint() !== 0;
          break;
        case ANY.int:
          value = encodeInteger(reader.int64());
          break;
        case ANY.double:
          value = encodeDouble(reader.double());
          break;
        case ANY.array:
          value = this.#readList(depth);
          break;
        case ANY.kvlist:
          value = this.#readObject(depth);
          break;
        case ANY.bytes:
          value = { $type: 'Buffer', ...reader.base64() };
          break;
        default:
          reader.skip();
      }
    }
    reader.leave(outer);
    return value;
  }

  #readList(depth: number): CapturedValue {
    const reader = this.#reader;
    const list: CapturedValue[] = [];
    reader.inside(() =>
      reader.readFields((tag) => {
        if (tag !== LIST.values) return false;
        this.#counts.addValue(depth + 1);
        list.push(this.#readAny(depth + 1));
        return true;
      }),
    );
    return list;
  }

  #readObject(depth: number): CapturedValue {
    const reader = this.#reader;
    const fields: Attributes = {};
    reader.inside(() =>
      reader.readFields((tag) => tag === LIST.values && this.readKeyValue(fields, depth + 1)),
    );
    return encodeObject(fields);
  }
}
