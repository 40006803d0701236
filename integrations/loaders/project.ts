import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'loaders');
export const modules = join(import.meta.dirname, '..', '..', 'node_modules');

/** The shop in one of its source formats. */
export type Fixture = 'ts' | 'esm' | 'cjs';

/** A copy of a fixture in a folder of its own, with the workspace's packages in the copy's node_modules. */
export class Project {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-loaders-')));

  constructor(fixture: Fixture | '../compiled', into = '.') {
    cpSync(join(fixtures, fixture), join(this.folder, into), { recursive: true });
    symlinkSync(modules, join(this.folder, 'node_modules'));
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
