import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { SourceFile } from './source-rules.ts';

/**
 * Names of Playwright's methods that are ignored, because arrays, `process.stdout` and `localStorage` have synchronous methods of the same
 * names.
 */
const SYNCHRONOUS_ELSEWHERE = new Set(['push', 'write', 'removeItem']);

/**
 * Returns the names of methods that return a promise wherever Playwright's types declare them. Biome's rule `noFloatingPromises` does not
 * know the types of libraries.
 */
export function readPromiseMethods(): ReadonlySet<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const file = join(folder, 'types', 'types.d.ts');
  const promising = new Set<string>();
  const others = new Set(SYNCHRONOUS_ELSEWHERE);
  new Visitor({
    TSMethodSignature({ key, returnType }) {
      if (key.type !== 'Identifier') return;
      const type = returnType?.typeAnnotation;
      const isPromise =
        type?.type === 'TSTypeReference' &&
        type.typeName.type === 'Identifier' &&
        type.typeName.name === 'Promise';
      (isPromise ? promising : others).add(key.name);
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return new Set([...promising].filter((name) => !others.has(name)));
}

/**
 * Finds calls of Playwright whose promise is not awaited, and asynchronous listeners, whose promise Playwright does not await. If such a
 * promise is rejected, for example because the page is closed, the process ends and leaves its server running.
 */
export function findFloatingPromises(file: SourceFile, methods: ReadonlySet<string>): string[] {
  const { program } = parseSync(file.path, file.text);
  const found: string[] = [];
  const report = (start: number, what: string) => {
    const line = file.text.slice(0, start).split('\n').length;
    found.push(`${file.path}:${line}: ${what}`);
  };
  new Visitor({
    ExpressionStatement({ start, expression }) {
      if (expression.type !== 'CallExpression') return;
      const { callee } = expression;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (methods.has(callee.property.name)) report(start, `${callee.property.name}() is not awaited`);
    },
    CallExpression({ start, callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (!/^(on|once|addListener)$/.test(callee.property.name)) return;
      const isAsync = given.some(
        (one) =>
          (one.type === 'ArrowFunctionExpression' || one.type === 'FunctionExpression') && one.async === true,
      );
      if (isAsync) report(start, 'the promise of an asynchronous listener is not awaited');
    },
  }).visit(program);
  return found;
}
