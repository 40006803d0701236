/**
 * Counts the characters that code reads, so that tests can compare how work grows with the input without timing it. Replaces methods of
 * strings and regular expressions while `run` executes; each call counts the characters that the engine may read. Characters that an
 * expression reads again while it backtracks are not counted, so `onExpression` receives each expression and the length of its text.
 */
export function countWork(
  run: () => void,
  onExpression?: (expression: RegExp, length: number) => void,
): number {
  let work = 0;
  const restore: (() => void)[] = [];
  const replace = <Owner extends object>(
    owner: Owner,
    name: keyof Owner & string,
    cost: (self: unknown, args: readonly unknown[], result: unknown) => number,
  ): void => {
    const original: unknown = owner[name];
    if (typeof original !== 'function') throw new Error(`${name} is no method`);
    const counted = function (this: unknown, ...args: readonly unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, args);
      work += cost(this, args, result);
      return result;
    };
    Object.defineProperty(owner, name, { value: counted, configurable: true, writable: true });
    restore.push(() =>
      Object.defineProperty(owner, name, { value: original, configurable: true, writable: true }),
    );
  };
  for (const name of ['charCodeAt', 'charAt', 'codePointAt'] as const)
    replace(String.prototype, name, () => 1);
  // Each method returns a copy, or a view that is read later. Counts the characters of the returned string in both cases.
  for (const name of ['slice', 'substring', 'toLowerCase', 'toUpperCase', 'trim', 'normalize'] as const)
    replace(String.prototype, name, (_self, _args, result) => 1 + lengthIn(result));
  for (const name of ['startsWith', 'endsWith'] as const)
    replace(String.prototype, name, (_self, args) => 1 + lengthIn(args[0]));
  replace(String.prototype, 'indexOf', (self, args, result) => {
    const from = numberIn(args[1]);
    return 1 + (numberIn(result) < 0 ? lengthIn(self) - from : numberIn(result) - from) + lengthIn(args[0]);
  });
  replace(String.prototype, 'lastIndexOf', (self, args, result) => {
    const from = args[1] === undefined ? lengthIn(self) : Math.min(numberIn(args[1]), lengthIn(self));
    return 1 + from - Math.max(0, numberIn(result)) + lengthIn(args[0]);
  });
  for (const name of ['includes', 'replaceAll', 'replace', 'match', 'split', 'search'] as const)
    replace(String.prototype, name, (self) => 1 + lengthIn(self));
  for (const name of ['test', 'exec'] as const)
    replace(RegExp.prototype, name, (self, args) => {
      if (self instanceof RegExp) onExpression?.(self, lengthIn(args[0]));
      return 1 + lengthIn(args[0]);
    });
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return work;
}

function lengthIn(value: unknown): number {
  return typeof value === 'string' || value instanceof String ? value.length : 0;
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
