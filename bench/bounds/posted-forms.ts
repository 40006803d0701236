import { gzipSync } from 'node:zlib';
import { type Encoding, pack } from './bodies/pack.ts';
import type { Pieces } from './bodies/pieces.ts';
import { callGrpc, grpcFrame, post } from './calls.ts';
import type { HostileForm, WayIn } from './form.ts';

const PATHS = {
  'native JSON': ['/api/ingest/traces', 'application/json'],
  NDJSON: ['/api/ingest/traces', 'application/x-ndjson'],
  'OTLP JSON': ['/v1/traces', 'application/json'],
  'OTLP protobuf': ['/v1/traces', 'application/x-protobuf'],
} as const satisfies Partial<Record<WayIn, readonly [string, string]>>;

type PostedWay = keyof typeof PATHS;

/** Builds a hostile input of one body, sent with a valid API key. */
export function postedForm(
  way: PostedWay,
  name: string,
  build: () => Pieces,
  encoding: Encoding = 'gzip',
): HostileForm {
  return posted(way, name, () => pack(build(), encoding), encoding);
}

/** Like `postedForm`, but `make` returns the body as it is sent, which can be invalid. */
export function posted(
  way: PostedWay,
  name: string,
  make: () => Promise<Buffer> | Buffer,
  encoding: Encoding = 'gzip',
  headers: Readonly<Record<string, string>> = {},
): HostileForm {
  const [path, type] = PATHS[way];
  return {
    way,
    name: `${name}${encoding === 'gzip' ? '' : ` (${encoding})`}`,
    async prepare() {
      const body = await make();
      const all = {
        'content-type': type,
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
        ...headers,
      };
      return (target, signal) => post(target, path, { 'x-api-key': target.apiKey, ...all }, body, signal);
    },
  };
}

/** Builds a hostile input of one gRPC message. */
export function grpcForm(name: string, build: () => Pieces): HostileForm {
  return {
    way: 'OTLP gRPC',
    name,
    async prepare() {
      const frame = grpcFrame(await pack(build(), 'gzip'), true);
      return (target, signal) => callGrpc(target, [frame], 'gzip', signal);
    },
  };
}

/** Like `grpcForm`, but with raw frames, which can be invalid. */
export function framesForm(name: string, make: () => readonly Buffer[], packed: boolean): HostileForm {
  return {
    way: 'OTLP gRPC',
    name,
    prepare: async () => {
      const frames = make().map((frame) => frame);
      return (target, signal) => callGrpc(target, frames, packed ? 'gzip' : 'identity', signal);
    },
  };
}

export const gzipped = (bytes: Buffer): Buffer => gzipSync(bytes);
