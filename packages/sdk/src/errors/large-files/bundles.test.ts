import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mapStack } from '../authors-stacks.ts';
import { LargeFiles } from './large-files.ts';

const MODULES = 34;
/** A statement of 100 kB. */
const STATEMENT = `texts.push("${'a text, '.repeat(12_500)}");\n`;

let folder: string;

/** Writes modules with 34 MB of code in total. The last one has a function that throws. */
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline bündel ')));
  mkdirSync(join(folder, 'src'));
  const names = Array.from({ length: MODULES }, (_name, n) => `part-${n}`);
  for (const name of names)
    writeFileSync(join(folder, 'src', `${name}.ts`), `const texts: string[] = [];\n${STATEMENT.repeat(10)}`);
  const imports = names.map((name) => `import './${name}.ts';\n`).join('');
  const main = `${imports}
interface Order { total: number }
export function pay(order: Order): never {
  throw new Error(\`total \${order.total}\`);
}
try { pay({ total: 7 }); } catch (error) { console.log((error as Error).stack); }
`;
  writeFileSync(join(folder, 'src', 'main.ts'), main);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  { minify: false, sourcemap: true },
  { minify: true, sourcemap: 'inline' },
] as const)(
  "the stack of an error in a bundle of over 32 MB shows the author's files and lines: %j",
  async (options) => {
    const file = join(folder, 'dist', `${options.sourcemap}.js`);
    const { minify, sourcemap } = options;
    await build({
      entryPoints: [join(folder, 'src/main.ts')],
      outfile: file,
      bundle: true,
      platform: 'node',
      sourcemap,
      minifyWhitespace: minify,
      minifyIdentifiers: minify,
      logLevel: 'error',
    });
    expect(statSync(file).size).toBeGreaterThan(32 * 1024 * 1024);
    const stack = execFileSync(process.execPath, [file], { encoding: 'utf8' });
    const frames = mapStack(stack)
      .split('\n')
      .filter((line) => line.includes(file));
    expect(frames.length).toBeGreaterThan(1);
    const pay = `(${join(folder, 'src/main.ts')}:${MODULES + 4})`;
    await vi.waitFor(() => expect(mapStack(stack)).toContain(pay), { timeout: 60_000, interval: 20 });
    expect(mapStack(stack)).toContain(`${join(folder, 'src/main.ts')}:${MODULES + 6}`);
    expect(mapStack(stack)).not.toContain(file);
  },
);

test('a running scan does not keep the process alive', () => {
  const file = join(folder, 'large.js');
  writeFileSync(file, 'a();\n'.repeat(8 * 1024 * 1024));
  const program = `import { prepareStacks } from ${JSON.stringify(new URL('../authors-stacks.ts', import.meta.url))};
import { BundleScanner } from ${JSON.stringify(new URL('../../positions/large-maps/bundle-scanner.ts', import.meta.url))};
const { add } = BundleScanner.prototype;
let bytes = 0;
BundleScanner.prototype.add = function (chunk) { bytes += chunk.length; add.call(this, chunk); };
prepareStacks(${JSON.stringify(file)});
setTimeout(() => console.log('begun', bytes > 0), 200);
process.on('exit', () => console.log('ended early', bytes < ${statSync(file).size}));`;
  const args = ['--conditions=source', '--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('begun true\nended early true\n');
});

test('a named pipe whose name ends in .js is not opened, because waiting for its writer would block the next scan', async () => {
  const pipe = join(folder, 'pipe.js');
  execFileSync('mkfifo', [pipe]);
  const map = JSON.stringify({ sources: ['src/a.ts'], mappings: 'AAAA' });
  const file = join(folder, 'small.js');
  const inline = Buffer.from(map).toString('base64');
  writeFileSync(file, `a();\n//# sourceMappingURL=data:application/json;base64,${inline}`);
  const files = new LargeFiles();
  files.start(pipe);
  const next = files.start(file);
  await vi.waitFor(() => expect(next.found).not.toBeNull(), { timeout: 5000 });
});
