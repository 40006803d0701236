import { climb, findList, type Statement, walkStatement } from './statement.ts';

/** True if the statement contains a return, throw, break or continue that can leave it. Statements in `missed` do not count. */
export function canLeave(statement: Statement, missed: ReadonlySet<Statement> = new Set()): boolean {
  for (const inner of walkStatement(statement)) {
    if (missed.has(inner)) continue;
    if (inner.kind === 'return' || inner.kind === 'throw') return true;
    if (inner.kind === 'leave' && !isInsideLoop(inner, statement)) return true;
  }
  return false;
}

function isInsideLoop(inner: Statement, outer: Statement): boolean {
  for (const around of climb(inner)) {
    if (around.kind === 'loop' || around.kind === 'do') return true;
    if (around === outer) return false;
  }
  return false;
}

/**
 * True if an error or return in the statement possibly does not leave `within` (without `within`, the function): a catch clause can handle
 * the error, or a finally block can return or throw instead.
 */
export function isCaught(statement: Statement, within?: Statement): boolean {
  let at = statement;
  while (at !== within && at.list.owner !== undefined) {
    const { role, owner } = at.list;
    if (owner.kind === 'try') {
      if (role === 'try' && findList(owner, 'catch') !== undefined) return true;
      const last = findList(owner, 'finally');
      if (role !== 'finally' && last?.statements.some((each) => canLeave(each)) === true) return true;
    }
    at = owner;
  }
  return false;
}

/** True if `thrown` is in a finally block, and its error replaces an error that `statement` threw before in the same `try`. */
export function isReplaced(statement: Statement, thrown: Statement): boolean {
  const lists = new Set([...climb(thrown)].map(({ list }) => list));
  for (const { list } of climb(statement)) {
    const last = list.owner?.kind === 'try' ? findList(list.owner, 'finally') : undefined;
    if (last !== undefined && last !== list && lists.has(last)) return true;
  }
  return false;
}

/** True if each run of the statement ends in a return or throw. */
export function leavesAlways(statement: Statement): boolean {
  if (statement.kind === 'return' || statement.kind === 'throw') return true;
  for (const { kind } of walkStatement(statement)) if (kind === 'leave') return false;
  const leaves = (role: Parameters<typeof findList>[1]) =>
    findList(statement, role)?.statements.some(leavesAlways) === true;
  switch (statement.kind) {
    case 'block':
      return leaves('block');
    case 'if':
      return leaves('then') && leaves('else');
    case 'try':
      return (
        leaves('finally') ||
        (leaves('try') && (leaves('catch') || findList(statement, 'catch') === undefined))
      );
    default:
      return false;
  }
}
