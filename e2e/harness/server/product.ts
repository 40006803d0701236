import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDataFolder } from './data-folder.ts';
import { pinnedNode, pinnedPath, root } from './places.ts';
import { type RunningProcess, startProcess } from './process.ts';

/** The built product, running in separate processes as it does for users. */
export interface Product {
  /** The URL that the server printed. */
  readonly url: string;
  readonly dataFolder: string;
  readonly process: RunningProcess;
  /** Stops the product. Returns a function that starts it again at the same URL with the same data. */
  interrupt(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** Folder for Node's compile cache. Without the cache, compiling the product's modules takes a fifth of the start time. */
const COMPILED = join(tmpdir(), `throughline-compiled-${process.version}`);

/** `--liftoff-only` compiles PGlite with V8's baseline compiler only. The optimizing compiler would cost 0.6 s of CPU time per start. */
const SERVE = ['--liftoff-only', 'apps/server/dist/main.js', 'serve'];

const READY = /Throughline is ready at (http\S+)/;

/** Starts only the server, without the demo shop, on a free port. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  return start(await newDataFolder(), SERVE, { PORT: '0', ...settings });
}

/** Runs `throughline ...` on the data folder of a running server. Rejects if the command fails. */
export async function runCommand({ dataFolder }: Product, args: readonly string[]): Promise<void> {
  const { child, output } = startProcess(pinnedNode, ['apps/server/dist/main.js', ...args], {
    cwd: root,
    env: environment(dataFolder, {}),
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`throughline ${args.join(' ')} ended with ${code}:\n${output()}`);
}

/** Starts the server and the demo shop, as `npm start` does. */
export async function startWithDemo(): Promise<Product> {
  const [port, demoPort] = [await freePort(), await freePort()];
  return start(await newDataFolder(), ['scripts/start.mjs'], {
    PORT: String(port),
    DEMO_PORT: String(demoPort),
  });
}

/** Creates empty stores in a data folder. {@link newDataFolder} copies them. */
export async function fillDataFolder(folder: string): Promise<void> {
  const server = startProcess(pinnedNode, [join(root, 'apps/server/dist/main.js'), 'serve'], {
    cwd: root,
    env: environment(folder, { PORT: '0' }),
  });
  await server.printed(READY);
  await server.stop();
}

async function start(
  dataFolder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Product> {
  const launch = (more: Readonly<Record<string, string>>): RunningProcess =>
    startProcess(pinnedNode, args, { cwd: root, env: environment(dataFolder, { ...settings, ...more }) });
  let server = launch({});
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const [, url = ''] = await server.printed(READY);
    return {
      url,
      dataFolder,
      process: server,
      async interrupt() {
        await server.stop();
        return async () => {
          server = launch({ PORT: new URL(url).port });
          await server.printed(READY);
        };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Builds the environment of a process. From the tests' own environment, it inherits only HOME and PATH, so that no settings of the tests
 * apply.
 */
function environment(dataFolder: string, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: pinnedPath,
    HOME: process.env.HOME,
    DATA_DIR: dataFolder,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    NODE_COMPILE_CACHE: COMPILED,
    ...settings,
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
