import { join, listOfNumbered, type Pieces } from './pieces.ts';

type Part = Pieces | string;

const start = BigInt(Date.now() - 60_000) * 1_000_000n;

const hex = (digits: number, value: number) => value.toString(16).padStart(digits, 'a');

/** Builds a valid OTLP span. Without `parent`, the span is the root span of its trace. */
export function jsonSpan(
  span: { readonly trace: number; readonly span: number; readonly parent?: number },
  members = '',
): string {
  const parent = span.parent === undefined ? '' : `"parentSpanId":"${hex(16, span.parent)}",`;
  return `{"traceId":"${hex(32, span.trace)}","spanId":"${hex(16, span.span)}",${parent}"name":"n","kind":2,"startTimeUnixNano":"${start}","endTimeUnixNano":"${start + 5n}"${members}}`;
}

/** Builds a request with the given list of resources. */
export function withResources(list: Part): Pieces {
  return join('{"resourceSpans":', list, '}');
}

export function withSpans(list: Part): Pieces {
  return withResources(join('[{"resource":{"attributes":[]},"scopeSpans":[{"spans":', list, '}]}]'));
}

export function withSpansNumbered(count: number, build: (index: number) => string): Pieces {
  return withSpans(listOfNumbered(count, build));
}

/** Builds a request with one root span that has one extra member. */
export function withSpanMember(name: string, value: Part): Pieces {
  const span = jsonSpan({ trace: 1, span: 1 });
  return withSpans(join(`[${span.slice(0, -1)},"${name}":`, value, '}]'));
}
