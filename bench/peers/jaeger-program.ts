import { execFile } from 'node:child_process';
import { mkdir, rename, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
/** The Go module whose command `jaeger` is Jaeger v2. Go cannot import later tags of the module. */
const MODULE = 'github.com/jaegertracing/jaeger@v1.76.0';
const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench-peers');
const Downloaded = z.object({ Dir: z.string() });

/**
 * Builds Jaeger v2 with Go once, which takes some minutes. Returns `missing` with a reason if it cannot be built, or if it is not built yet
 * and `mayBuild` is false.
 */
export async function jaegerProgram(options: {
  readonly mayBuild: boolean;
}): Promise<{ readonly path: string } | { readonly missing: string }> {
  const path = join(folder, MODULE.replace(/.*\//, ''));
  if (await exists(path)) return { path };
  if (!options.mayBuild)
    return { missing: 'it was not built on this machine; a run without --quick builds it' };
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}${delimiter}/usr/local/go/bin` };
  try {
    const { stdout } = await run('go', ['mod', 'download', '-json', MODULE], { env });
    const { Dir: source } = Downloaded.parse(JSON.parse(stdout));
    await mkdir(folder, { recursive: true });
    process.stdout.write('building Jaeger, once …\n');
    // Builds in the folder of the module, so that the module's go.mod and go.sum apply.
    await run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', `${path}.new`, './cmd/jaeger'], {
      cwd: source,
      env,
    });
    await rename(`${path}.new`, path);
    return { path };
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
