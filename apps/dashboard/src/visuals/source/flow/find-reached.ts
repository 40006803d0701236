import { canLeave, isCaught, isReplaced, leavesAlways } from './leaving.ts';
import {
  climb,
  findList,
  listLater,
  type Statement,
  type StatementList,
  walkStatement,
  walkStatements,
} from './statement.ts';

/** Facts that one call shows about the statements of its function. */
export interface Evidence {
  /** `returned` if the call ended without an error, `threw` if it ended with an error; undefined if this is unknown. */
  readonly end: 'returned' | 'threw' | undefined;
  /** Statements that ran at least once. */
  readonly ran: ReadonlySet<Statement>;
  /** Declarations whose variable has no captured value. Outside loops, this shows that the declaration did not complete. */
  readonly incomplete: ReadonlySet<Statement>;
  /** The statement that ended the call with an error. */
  readonly thrown: Statement | undefined;
  /** True if the head of `thrown` threw, such as the condition of an `if`. The statements inside `thrown` then did not run. */
  readonly isHeadThrown: boolean;
  /** True if the result is a value other than undefined. */
  readonly hasResult: boolean;
}

/** Statements that certainly ran at least once, and statements that certainly never ran. Other statements are in neither set. */
export interface Reached {
  readonly ran: ReadonlySet<Statement>;
  readonly missed: ReadonlySet<Statement>;
  /** True if the statement ran, and no run of the statement ended in an error. */
  readonly isEvaluated: (statement: Statement) => boolean;
}

const NOTHING: Reached = { ran: new Set(), missed: new Set(), isEvaluated: () => false };

/** Infers from the evidence which statements ran. Returns empty sets if the conclusions contradict each other. */
export function findReached(body: StatementList, evidence: Evidence): Reached {
  const reasoning = new Reasoning(body, evidence);
  reasoning.run();
  const { ran, missed } = reasoning;
  if ([...ran].some((statement) => missed.has(statement))) return NOTHING;
  return {
    ran,
    missed,
    isEvaluated: (statement) => ran.has(statement) && reasoning.cannotThrow(statement),
  };
}

class Reasoning {
  readonly ran = new Set<Statement>();
  readonly missed = new Set<Statement>();
  readonly #body: StatementList;
  readonly #evidence: Evidence;
  readonly #all: readonly Statement[];
  /** For each statement list, the index of its last statement that is known to have run. */
  readonly #lastRan = new Map<StatementList, number>();

  constructor(body: StatementList, evidence: Evidence) {
    this.#body = body;
    this.#evidence = evidence;
    this.#all = [...walkStatements(body)];
  }

  run(): void {
    const { ran, end, thrown, isHeadThrown, incomplete } = this.#evidence;
    this.#addRan(...ran);
    if (end === 'returned') this.#addRan(this.#body.statements[0]);
    if (thrown !== undefined) {
      this.#addRan(thrown);
      if (isHeadThrown && !thrown.list.isInLoop) for (const list of thrown.lists) this.#miss(list.statements);
      this.#stopAt(thrown);
    }
    for (const statement of incomplete)
      if (!statement.list.isInLoop) this.#miss(listLater(statement).slice(0, 1));
    // Alternates the direction, because a conclusion can follow from an earlier or from a later statement.
    const backwards = this.#all.toReversed();
    let known = -1;
    while (known < this.ran.size + this.missed.size) {
      known = this.ran.size + this.missed.size;
      for (const statement of this.#all) this.#follow(statement);
      for (const statement of backwards) this.#follow(statement);
      this.#followReturns();
    }
  }

  /** True if no run of the statement ended in an error. */
  cannotThrow(statement: Statement): boolean {
    if (this.#evidence.end === 'returned' && !isCaught(statement)) return true;
    for (const around of climb(statement)) if (this.#isPassed(around)) return !isCaught(statement, around);
    return false;
  }

  #follow(statement: Statement): void {
    const { list, place, kind } = statement;
    const next = list.statements[place + 1];
    if (this.ran.has(statement)) {
      this.#addRan(list.owner, list.statements[place - 1]);
      if (kind === 'block' || kind === 'do' || kind === 'try')
        this.#addRan(statement.lists[0]?.statements[0]);
      if (this.#mustComplete(statement)) this.#addRan(next);
      if (kind === 'if') this.#followBranches(statement);
      if (leavesAlways(statement)) this.#stopAt(statement);
      else if (kind === 'leave') this.#stopInList(statement);
    }
    if (this.missed.has(statement)) {
      for (const inner of statement.lists) this.#miss(inner.statements.slice(0, 1));
      if (next !== undefined) this.#miss([next]);
    }
    const isIncomplete = this.#evidence.incomplete.has(statement) && !list.isInLoop;
    if ((isIncomplete || (next !== undefined && this.missed.has(next))) && this.#mustComplete(statement))
      this.#miss([statement]);
    if (this.#isPassed(statement)) this.#missLeaving(statement);
  }

  /** For an `if` that ran: if one branch certainly did not run, the other branch ran. Outside loops, only one of the branches ran. */
  #followBranches(statement: Statement): void {
    const [then, otherwise] = [findList(statement, 'then'), findList(statement, 'else')];
    if (then === undefined || otherwise === undefined) return;
    for (const [one, other] of [
      [then.statements, otherwise.statements],
      [otherwise.statements, then.statements],
    ] as const) {
      const first = one[0];
      if (first === undefined) continue;
      if (this.ran.has(first) && !statement.list.isInLoop) this.#miss(other);
      if (this.missed.has(first) && this.cannotThrow(statement)) this.#addRan(other[0]);
    }
  }

  /** The call continued after the statement `passed`. So no return or throw in `passed` ran, unless `passed` also caught it. */
  #missLeaving(passed: Statement): void {
    for (const inner of walkStatement(passed))
      if ((inner.kind === 'return' || inner.kind === 'throw') && !isCaught(inner, passed))
        this.#miss([inner]);
  }

  #followReturns(): void {
    const { end, thrown, hasResult } = this.#evidence;
    const returns = this.#all.filter(({ kind }) => kind === 'return');
    const isOwn = (statement: Statement) => thrown !== undefined && [...climb(statement)].includes(thrown);
    const uncaught = this.#all.filter(({ kind }) => kind === 'throw').filter((each) => !isCaught(each));
    if (end === 'returned') this.#miss(uncaught);
    if (thrown !== undefined && !isCaught(thrown)) {
      const isOutsideTry = (each: Statement) => [...climb(each)].every(({ kind }) => kind !== 'try');
      this.#miss(
        [...returns.filter(isOutsideTry), ...uncaught].filter(
          (each) => !isOwn(each) && !isReplaced(each, thrown),
        ),
      );
    }
    const [only, ...others] = returns.filter((each) => !this.missed.has(each));
    if (end === 'returned' && hasResult && others.length === 0) this.#addRan(only);
  }

  /** True if each run of the statement is followed by the next statement of its list. */
  #mustComplete(statement: Statement): boolean {
    return !canLeave(statement, this.missed) && this.cannotThrow(statement);
  }

  /** True if a later statement of the same list ran, and the list runs only once. */
  #isPassed(statement: Statement): boolean {
    const { list, place } = statement;
    return !list.isInLoop && place < (this.#lastRan.get(list) ?? 0);
  }

  /**
   * Marks statements that did not run because a return, throw or error left the given statement: the statements after it, and after the
   * statements around it, up to a `try` that can catch the error.
   */
  #stopAt(statement: Statement): void {
    let at: Statement | undefined = statement;
    while (at !== undefined) {
      this.#stopInList(at);
      const owner: Statement | undefined = at.list.owner;
      if (owner?.kind === 'try' && isCaught(at, owner)) return;
      at = owner;
    }
  }

  /** Marks the statement after the given statement as not run and, if the given statement is in a `case`, the later cases, too. */
  #stopInList({ list, place }: Statement): void {
    if (list.isInLoop) return;
    this.#miss(list.statements.slice(place + 1, place + 2));
    if (list.role !== 'case') return;
    const cases = list.owner?.lists ?? [];
    for (const later of cases.slice(cases.indexOf(list) + 1)) this.#miss(later.statements.slice(0, 1));
  }

  #addRan(...statements: readonly (Statement | undefined)[]): void {
    for (const statement of statements) {
      if (statement === undefined || this.ran.has(statement)) continue;
      this.ran.add(statement);
      const { list, place } = statement;
      this.#lastRan.set(list, Math.max(place, this.#lastRan.get(list) ?? 0));
    }
  }

  #miss(statements: readonly Statement[]): void {
    for (const statement of statements) this.missed.add(statement);
  }
}
