/** The kind of a statement; `leave` is a break or continue. */
export type StatementKind =
  | 'expression'
  | 'declaration'
  | 'return'
  | 'throw'
  | 'leave'
  | 'block'
  | 'if'
  | 'loop'
  | 'do'
  | 'try'
  | 'switch';

export type ListRole = 'function' | 'block' | 'then' | 'else' | 'loop' | 'try' | 'catch' | 'finally' | 'case';

export interface Statement {
  readonly kind: StatementKind;
  /** The index of the first token, and of the token after the last. */
  readonly from: number;
  readonly to: number;
  /** The index after the statement's own tokens: all tokens of a simple statement, otherwise only its head, such as `if (…)`. */
  readonly headTo: number;
  readonly lists: readonly StatementList[];
  readonly list: StatementList;
  readonly place: number;
}

/** Statements that run one after the other. Declarations of functions and types are left out. */
export interface StatementList {
  readonly role: ListRole;
  /** The statement that contains the list; undefined for the function's body. */
  readonly owner: Statement | undefined;
  readonly isInLoop: boolean;
  readonly statements: readonly Statement[];
}

/** Lists the statements of a list and all statements in them, in the order of the text. */
export function* walkStatements(list: StatementList): Generator<Statement> {
  for (const statement of list.statements) yield* walkStatement(statement);
}

/** Lists a statement and all statements in it, in the order of the text. */
export function* walkStatement(statement: Statement): Generator<Statement> {
  yield statement;
  for (const list of statement.lists) yield* walkStatements(list);
}

/** Lists a statement and the statements around it, from the inside out. */
export function* climb(statement: Statement): Generator<Statement> {
  for (let at: Statement | undefined = statement; at !== undefined; at = at.list.owner) yield at;
}

/** Returns the statements after this one in its list. */
export function listLater({ list, place }: Statement): readonly Statement[] {
  return list.statements.slice(place + 1);
}

export function findList(statement: Statement, role: ListRole): StatementList | undefined {
  return statement.lists.find((list) => list.role === role);
}
