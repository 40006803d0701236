import type { Code } from './code-tokens.ts';
import { type Statement, type StatementList, walkStatements } from './statement.ts';

/** The statement that a token belongs to. Braces and words such as `else` belong to the statement around them, but are never its head. */
export interface Owner {
  readonly statement: Statement;
  readonly isHead: boolean;
}

/** For each line of a function, the statements that the tokens of the line belong to. */
export type Owners = ReadonlyMap<number, readonly (Owner | undefined)[]>;

/** Finds the statement of each token. Tokens outside statements, such as those of the function's head, have none. */
export function findOwners({ tokens }: Code, body: StatementList): Owners {
  const owned: (Owner | undefined)[] = tokens.map(() => undefined);
  // An inner statement comes after the statement around it, and replaces it as the owner of the inner tokens.
  for (const statement of walkStatements(body)) {
    const { from, to, headTo, kind } = statement;
    const hasHead = kind !== 'block' && kind !== 'try' && kind !== 'do';
    for (let at = from; at < to; at++) owned[at] = { statement, isHead: hasHead && at < headTo };
  }
  const lines = new Map<number, (Owner | undefined)[]>();
  for (const [at, { line, text }] of tokens.entries()) {
    const last = line + text.split('\n').length - 1;
    for (let number = line; number <= last; number++)
      lines.set(number, [...(lines.get(number) ?? []), owned[at]]);
  }
  return lines;
}
