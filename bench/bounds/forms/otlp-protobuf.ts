import {
  attributes,
  EMPTY_ATTRIBUTE,
  EMPTY_EVENT,
  EMPTY_LINK,
  EMPTY_RESOURCE,
  EMPTY_SPANS,
  nestedValue,
  services,
  withScopeFields,
  withSpanFields,
  withSpansNumbered,
} from '../bodies/otlp-protobuf.ts';
import { fill, join, type Pieces, raw, repeat } from '../bodies/pieces.ts';
import { field, integer, small } from '../bodies/wire.ts';
import { grpcFrame } from '../calls.ts';
import type { HostileForm } from '../form.ts';
import { framesForm, grpcForm, gzipped, postedForm } from '../posted-forms.ts';

/** Bodies that are sent both over HTTP and over gRPC. */
const REQUESTS: Readonly<Record<string, () => Pieces>> = {
  '31 million empty spans': () => withScopeFields(fill(EMPTY_SPANS)),
  '3 million empty spans': () => withScopeFields(repeat(EMPTY_SPANS, 3_000_000)),
  '31 million empty resources': () => fill(EMPTY_RESOURCE),
  '30 million empty events': () => withSpanFields(fill(EMPTY_EVENT)),
  '200,000 spans with one id': () => withSpansNumbered(200_000, () => ({ trace: 1, span: 1, parent: 2 })),
  '500,000 spans in a chain of parents': () =>
    withSpansNumbered(500_000, (index) => ({ trace: 1, span: index + 1, parent: index })),
  '200,000 spans in a ring of parents': () =>
    withSpansNumbered(200_000, (index) => ({ trace: 1, span: index, parent: (index + 1) % 200_000 })),
  '100,000 trace ids': () => withSpansNumbered(100_000, (index) => ({ trace: index, span: index })),
  '9,900 trace ids': () => withSpansNumbered(9900, (index) => ({ trace: index, span: index })),
};

const otlp = postedForm.bind(undefined, 'OTLP protobuf');

/** The hostile inputs that are sent over HTTP. */
export const OTLP_PROTOBUF: readonly HostileForm[] = [
  ...Object.entries(REQUESTS).map(([name, build]) => otlp(name, build)),
  otlp('31 million empty spans', () => withScopeFields(fill(EMPTY_SPANS)), 'br'),
  otlp('31 million empty spans', () => withScopeFields(fill(EMPTY_SPANS)), 'zstd'),
  otlp('3.9 million empty spans', () => withScopeFields(fill(EMPTY_SPANS, 7.9 * 1024 * 1024)), 'identity'),
  otlp('31 million empty scopes', () => field(1, fill(small(2)))),
  otlp('30 million empty links', () => withSpanFields(fill(EMPTY_LINK)), 'br'),
  otlp('30 million empty attributes', () => withSpanFields(fill(EMPTY_ATTRIBUTE))),
  otlp('a million attributes', () => withSpanFields(attributes(9, 1_000_000))),
  otlp('a million attributes of a resource', () => field(1, field(1, attributes(1, 1_000_000)))),
  otlp('a list of 15 million empty values', () =>
    withSpanFields(field(9, join(small(1, 'a'), field(2, field(5, fill(small(1))))))),
  ),
  otlp(
    '5,000 lists in each other, 500 times',
    () => withSpanFields(repeat(small(9, small(1, 'a'), small(2, nestedValue(5000))), 500)),
    'br',
  ),
  otlp('30 million unknown fields', () => withScopeFields(fill(integer(100, 1)))),
  otlp('a name of 60 MB', () => withSpanFields(field(5, fill('password=x ')))),
  otlp('a name of 60 MB that is no UTF-8', () => withSpanFields(field(5, fill(Buffer.from([0xff, 0xc3]))))),
  otlp('5 million names of one span', () => withSpanFields(fill(small(5, 'name of a span')))),
  otlp('20,000 services', () => services(20_000)),
  otlp('a length of gigabytes', () =>
    join(raw(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])), fill('a', 1_000_000)),
  ),
  otlp('60 MB of an endless number', () => fill(Buffer.from([0xff]))),
];

/** The hostile inputs that are sent over gRPC. */
export const OTLP_GRPC: readonly HostileForm[] = [
  ...Object.entries(REQUESTS).map(([name, build]) => grpcForm(name, build)),
  grpcForm('60 MB of an endless number', () => fill(Buffer.from([0xff]))),
  framesForm(
    'a frame that says it is 4 GB',
    () => [grpcFrame(Buffer.alloc(1000), false, 0xffff_ffff)],
    false,
  ),
  framesForm(
    'a frame of 60 MB, not packed',
    () => [grpcFrame(Buffer.alloc(60 * 1024 * 1024, EMPTY_SPANS), false)],
    false,
  ),
  framesForm('100,000 empty frames', () => [Buffer.alloc(5 * 100_000)], false),
  framesForm(
    '50 frames of 60 MB of zeros',
    () => Array.from({ length: 50 }, () => grpcFrame(gzipped(Buffer.alloc(60 * 1024 * 1024)), true)),
    true,
  ),
];
