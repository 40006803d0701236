import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUILT = join(tmpdir(), 'throughline-programs');
/** PATH with the folder of Go's installer, which is not in PATH by default. */
const GO_PATH = `${process.env.PATH ?? ''}${delimiter}/usr/local/go/bin`;

/** The command that runs a program in another language, or the reason why the program is not available. */
export type ForeignProgram =
  | { readonly command: string; readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv }
  | { readonly missing: string };

export interface ForeignSource {
  /** Folder with the sources, and the language's list of pinned packages: go.mod and go.sum, pom.xml, requirements.txt. */
  readonly folder: string;
  readonly language: 'go' | 'java' | 'python';
  /**
   * True if packages may be downloaded from the language's registry, which is slow and requires a network.
   */
  readonly mayFetch: boolean;
}

/** Builds a program once, and caches it in the temp folder by the digest of its sources. */
export async function prepareProgram({ folder, language, mayFetch }: ForeignSource): Promise<ForeignProgram> {
  const { needs, build, start } = LANGUAGES[language];
  const place = join(BUILT, `${language}-${await computeDigest(folder)}`);
  if (await exists(place)) return start(place);
  if (!mayFetch)
    return { missing: `the packages of its ${language} client were not fetched on this machine` };
  for (const [command, ...args] of needs) {
    if (command === undefined) continue;
    try {
      await run(command, args, { env: goEnv() });
    } catch {
      return { missing: `there is no ${command}` };
    }
  }
  await mkdir(BUILT, { recursive: true });
  const fresh = await mkdtemp(join(BUILT, 'new-'));
  try {
    await cp(folder, fresh, { recursive: true });
    await build(fresh);
    await rename(fresh, place);
  } catch (error) {
    // Another test run can have built the program first.
    if (!(await exists(place)))
      return { missing: `its ${language} client could not be built: ${lastLine(error)}` };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return start(place);
}

interface Language {
  /** Commands that must be available. */
  readonly needs: readonly (readonly string[])[];
  readonly build: (folder: string) => Promise<void>;
  readonly start: (folder: string) => ForeignProgram;
}

const LANGUAGES: Readonly<Record<ForeignSource['language'], Language>> = {
  go: {
    needs: [['go', 'version']],
    build: async (folder) => {
      await run('go', ['build', '-trimpath', '-o', 'program', '.'], { cwd: folder, env: goEnv() });
    },
    start: (folder) => ({ command: join(folder, 'program'), args: [], env: process.env }),
  },
  java: {
    needs: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    build: async (folder) => {
      const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
      await run('mvn', ['-q', '-B', ...copy], { cwd: folder });
      await run('javac', ['-encoding', 'UTF-8', '-cp', 'lib/*', '-d', 'classes', 'Client.java'], {
        cwd: folder,
      });
    },
    start: (folder) => ({
      command: 'java',
      args: ['-cp', [join(folder, 'classes'), join(folder, 'lib', '*')].join(delimiter), 'Client'],
      env: process.env,
    }),
  },
  python: {
    needs: [['python3', '-m', 'pip', '--version']],
    build: async (folder) => {
      const install = ['-m', 'pip', 'install', '--quiet', '--target', 'packages', '-r', 'requirements.txt'];
      await run('python3', install, { cwd: folder });
    },
    start: (folder) => ({
      command: 'python3',
      args: [join(folder, 'client.py')],
      env: { ...process.env, PYTHONPATH: join(folder, 'packages'), PYTHONIOENCODING: 'utf-8' },
    }),
  },
};

function goEnv(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: GO_PATH };
}

async function computeDigest(folder: string): Promise<string> {
  const digest = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    digest.update(name);
    digest.update(await readFile(join(folder, name)));
  }
  return digest.digest('hex').slice(0, 16);
}

function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return said.trim().split('\n').at(-1) ?? '';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
