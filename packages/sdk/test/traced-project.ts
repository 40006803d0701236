import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PlainStep } from './traced.ts';

const preload = join(import.meta.dirname, 'traced-process.ts');
/** Settings that make Node cache the compiled SDK sources, which halves the duration of a run. */
export const compiled = {
  NODE_COMPILE_CACHE: join(tmpdir(), `throughline-compiled-${process.version}`),
} as const;
const folders: string[] = [];

/** Removes the folders of the projects. Must be called after each test. */
export function removeProjects(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Writes a host's files into a new folder. Returns the folder's path. */
export function project(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'traced-')));
  folders.push(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** Exit status and output of a traced host. `flow` is the flow of the host's last call of `record`. */
export interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly reports: readonly string[];
  readonly flow: readonly PlainStep[];
  readonly stderr: string;
}

/** Runs Node in a project, traced by default. */
export function run(
  root: string,
  args: readonly string[],
  env: Record<string, string> = {},
  isTraced = true,
): Run {
  const preloading = isTraced ? ['--conditions=source', '--import', preload] : [];
  const child = spawnSync(process.execPath, ['--no-warnings', ...preloading, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...compiled, ...env },
  });
  const lines = child.stdout.split('\n');
  const flow = lines.findLast((line) => line.startsWith('flow: '))?.slice(6);
  return {
    status: child.status,
    output: lines.filter((line) => !/^(report|flow): /.test(line)).join('\n'),
    reports: lines.filter((line) => line.startsWith('report: ')),
    flow: flow === undefined ? [] : JSON.parse(flow),
    stderr: child.stderr,
  };
}
