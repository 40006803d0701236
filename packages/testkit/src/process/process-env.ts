import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Node options for a server process. The process runs from sources, and compiles WebAssembly (PGlite) with V8's baseline compiler only. The
 * optimizing compiler costs 0.6 s of CPU time and 550 MB per start, and few tests run long enough to benefit.
 */
export const processArgs = ['--conditions=source', '--liftoff-only'] as const;

/** Environment of every server process. Node's compile cache saves a third of each start. */
export const processEnv: Readonly<Record<string, string | undefined>> = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(tmpdir(), `throughline-compiled-${process.version}`),
  PORT: '0',
};
