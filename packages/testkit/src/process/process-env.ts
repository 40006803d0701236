import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How Node is started for a process of the server: on its sources, and with V8's baseline compiler alone for WebAssembly, which is PGlite. Compiled
 * once more to run faster, it costs each start 0.6 s of processor time and 550 MB, which few tests live long enough to gain from.
 */
export const processArgs = ['--conditions=source', '--liftoff-only'] as const;

/** The environment of every server process. Node's compile cache saves a third of each start. */
export const processEnv: Readonly<Record<string, string | undefined>> = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(tmpdir(), `throughline-compiled-${process.version}`),
  PORT: '0',
};
