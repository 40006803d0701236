import { transformSync as swc } from '@swc/core';
import { Collector } from '@throughline/testkit/collector';
import { pickRows } from '@throughline/testkit/thorough';
import { transformSync as esbuild } from 'esbuild';
import ts from 'old-typescript';
import { expect, test } from 'vitest';
import { App } from '../harness/app.ts';
import { step, tree } from '../harness/trees.ts';
import { Project } from './project.ts';

/** The decorators in this source work in both forms: a legacy decorator receives a descriptor, a standard one the method itself. */
const source = `import http from 'node:http';

function logged(method: any, key: any, descriptor?: any): any {
  const inner = descriptor === undefined ? method : descriptor.value;
  const name = descriptor === undefined ? key.name : key;
  const outer = function (this: unknown, ...args: unknown[]) {
    console.log('call', name, args.length);
    return inner.apply(this, args);
  };
  if (descriptor === undefined) return outer;
  descriptor.value = outer;
}
function known(made: any, context?: any): void {
  console.log('class', made.name, context?.kind ?? 'class');
}

@known
class Till {
  total = 0;
  @logged
  pay(amount: number): number {
    const due = amount * 2;
    this.total += due;
    return due;
  }
  @logged
  static open(): Till {
    return new Till();
  }
}

const server = http.createServer(function handle(_, res) {
  const till = Till.open();
  res.end(String(till.pay(2) + till.total));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log('listening ' + (typeof address === 'object' && address?.port));
});
`;

const byTsc = (experimentalDecorators: boolean): string =>
  ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators,
      inlineSourceMap: true,
    },
    fileName: 'app.ts',
  }).outputText;
const bySwc = (decoratorVersion: '2021-12' | '2022-03'): string =>
  swc(source, {
    filename: 'app.ts',
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { decoratorVersion, legacyDecorator: decoratorVersion === '2021-12' },
    },
  }).code;
const byEsbuild = (experimentalDecorators: boolean): string =>
  esbuild(source, {
    loader: 'ts',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile: 'app.ts',
    keepNames: true,
    tsconfigRaw: { compilerOptions: { experimentalDecorators } },
  }).code;

test.each(
  pickRows(
    [
      ['tsc', () => byTsc(false)],
      ['tsc, experimentalDecorators', () => byTsc(true)],
      ['swc', () => bySwc('2022-03')],
      ['swc, legacy', () => bySwc('2021-12')],
      ['esbuild', () => byEsbuild(false)],
      ['esbuild, experimentalDecorators', () => byEsbuild(true)],
    ],
    { usually: 2 },
  ),
)(
  'decorators compiled by %s behave as without the SDK, and decorated functions are traced',
  async (_, compile) => {
    const collector = new Collector();
    const project = new Project('esm');
    try {
      project.write('dist/app.js', compile());
      const outcome = async (address: string | undefined) => {
        const app = new App(`${project.folder}/dist/app.js`, { collector: address, cwd: project.folder });
        const text = await (await fetch(`${await app.ready()}/`)).text();
        const { stdout, stderr } = await app.stop();
        return { text, stderr, stdout: stdout.replace(/listening \d+/, 'listening') };
      };
      const plain = await outcome(undefined);
      expect(plain).toMatchObject({ text: '8', stderr: '' });
      expect(plain.stdout).toContain('call pay 1');
      expect(await outcome(await collector.start())).toEqual(plain);
      const trace = await collector.trace('/');
      expect(JSON.stringify(tree(trace))).toMatch(/"handle",.*open.*pay/);
      const paid = trace.flow.find(({ variables }) => variables?.localVariables?.due !== undefined);
      const line = source.slice(0, source.indexOf('pay(amount')).split('\n').length;
      expect(paid).toMatchObject({ filePath: 'dist/app.ts', lineNumber: line, outputs: 4 });
      expect(step(trace, 'handle').filePath).toBe('dist/app.ts');
    } finally {
      project.remove();
      await collector.stop();
    }
  },
);
