import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What every process of the server has in its environment: a third of its start is reading its sources, so what Node made of them is kept. */
export const processEnv: Readonly<Record<string, string | undefined>> = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: join(tmpdir(), `throughline-compiled-${process.version}`),
  PORT: '0',
};
