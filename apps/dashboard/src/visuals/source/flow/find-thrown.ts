import { findLastLine } from '@throughline/contract';
import { type Frame, isSameFile, isSameFunction, listFrames } from '../../steps/stack-frames.ts';
import type { Call } from './call.ts';
import type { Code, CodeToken } from './code-tokens.ts';
import { isCaught } from './leaving.ts';
import type { Owners } from './owners.ts';
import { climb, type Statement, type StatementList, walkStatement } from './statement.ts';

interface Thrown {
  /** The statement that certainly ended the call; undefined if no statement is certain. */
  readonly statement: Statement | undefined;
  readonly isHeadThrown: boolean;
  readonly ran: readonly Statement[];
}

/** Errors that Node itself throws for mistakes in code. */
const ENGINE_ERRORS = new Set(['TypeError', 'ReferenceError']);

/**
 * Finds the statement that ended a call with an error. A stack shows only where the error was created, and the call can have ended later:
 * an error can be created before it is thrown, and a promise can be awaited after further statements.
 */
export function findThrown(
  call: Call,
  code: Code,
  body: StatementList,
  owners: Owners,
  incomplete: ReadonlySet<Statement>,
): Thrown {
  const nothing: Thrown = { statement: undefined, isHeadThrown: false, ran: [] };
  const frame = findFrame(call);
  if (frame === undefined) return nothing;
  const places = (owners.get(frame.line) ?? []).filter((owner) => owner?.isHead === true);
  const [first, ...others] = new Set(places.map((owner) => owner?.statement));
  if (first === undefined) return nothing;
  // The first statement of a line certainly runs first only if the other statements on the line follow it in its list or are inside it.
  const isFirst = others.every(
    (other) =>
      other !== undefined &&
      [...climb(other)].some(
        (each) => each === first || (each.list === first.list && each.place > first.place),
      ),
  );
  if (!isFirst) return nothing;
  const ran = [first];
  if (others.some((other) => ![...walkStatement(first)].some((inner) => inner === other)))
    return { ...nothing, ran };
  const isSure = others.some((other) => other?.kind !== 'throw' && other?.kind !== 'return')
    ? false
    : (others.length > 0 && isThrownInside(first, frame, code)) ||
      isSurelyThrown(first, frame, call, code, body, incomplete);
  if (!isSure) return { ...nothing, ran };
  return { statement: first, isHeadThrown: others.length === 0, ran };
}

interface OwnFrame extends Frame {
  /** The frame that this frame called; undefined if it is not known, or if the error was created in this frame. */
  readonly callee: Frame | undefined;
  /** True if the error was created in this frame, and not in a built-in function that this frame called. */
  readonly isTop: boolean;
}

/**
 * Finds the frame of this call in the error's stack. Undefined if it is uncertain which frame belongs to this call, as in some recursions.
 */
function findFrame({ step, source, children, thrown }: Call): OwnFrame | undefined {
  if (step.error?.stack === undefined || step.repeat !== undefined) return undefined;
  const frames = listFrames(step.error.stack);
  const own = frames.filter((frame) => isSameFile(frame, step) && isSameFunction(frame, step));
  const failed = children.filter(({ error }) => error !== null);
  const below = frames.findIndex((frame) =>
    failed.some((child) => isSameFile(frame, child) && isSameFunction(frame, child)),
  );
  const frame = own.find((each) => frames.indexOf(each) > below);
  const isUnclear = below < 0 && own.some(({ line }) => line !== frame?.line);
  if (frame === undefined || isUnclear || frame.line !== thrown) return undefined;
  if (frame.line < source.line || frame.line > findLastLine(source)) return undefined;
  const top = /^\s+at .*$/m.exec(step.error.stack)?.[0] ?? '';
  const isTop = frames[0] === frame && top.includes(`:${frame.line}`);
  return { ...frame, callee: frames[frames.indexOf(frame) - 1], isTop };
}

/**
 * For a throw or return on the line of a condition, as in `if (!order) throw new Missing()`: true if the throw or return certainly created
 * the error.
 */
function isThrownInside(first: Statement, { callee, isTop }: OwnFrame, { tokens }: Code): boolean {
  const head = tokens.slice(first.from, first.headTo);
  if (head.some(isCreating) || head.some(({ text }) => text === 'await')) return false;
  return isTop || callee?.name?.startsWith('new ') === true || countCalls(head) === 1;
}

function isSurelyThrown(
  first: Statement,
  frame: OwnFrame,
  { step }: Call,
  { tokens }: Code,
  body: StatementList,
  incomplete: ReadonlySet<Statement>,
): boolean {
  // A return or throw ends the call in any case, even if an expression in it throws.
  if (first.kind === 'return' || first.kind === 'throw') return true;
  if (incomplete.has(first) && !first.list.isInLoop) return true;
  const head = tokens.slice(first.from, first.headTo);
  const creates = head.some(isCreating);
  if (frame.isTop && !creates && ENGINE_ERRORS.has(step.error?.name ?? '')) return true;
  if (first.kind !== 'expression' && first.kind !== 'if') return false;
  const later = listLaterTokens(first, tokens, body, incomplete);
  if (creates || head.some(({ text }) => isAssignment(text)) || later.some(rethrows)) return false;
  const isAwaited = head[0]?.text === 'await' && (isSuspended(frame) || countCalls(head) === 1);
  return isAwaited || !later.some(passesPromise);
}

function isCreating({ text }: CodeToken): boolean {
  return text === 'new' || /Error$/.test(text);
}

/** True for the frame of an async function that awaits the failed call. */
function isSuspended({ name }: Frame): boolean {
  return name?.startsWith('async ') === true;
}

function isAssignment(text: string): boolean {
  return /=$/.test(text) && !/^(?:[=!<>]=|[=!]==)$/.test(text);
}

function countCalls(tokens: readonly CodeToken[]): number {
  return tokens.filter(({ text }) => text === '(').length;
}

/** True for a `throw` that can throw an error that was created earlier: a `throw` without `new`. */
function rethrows({ kind, text }: CodeToken, at: number, tokens: readonly CodeToken[]): boolean {
  return kind === 'keyword' && text === 'throw' && tokens[at + 1]?.text !== 'new';
}

/** True for an `await`, and for a `return` of anything but a literal: there, a promise that was created earlier can end the call. */
function passesPromise({ kind, text }: CodeToken, at: number, tokens: readonly CodeToken[]): boolean {
  if (kind !== 'keyword') return false;
  if (text === 'await') return true;
  const after = tokens[at + 1];
  const isPlain = after === undefined || /^[;{[}]$|^(?:null|true|false)$/.test(after.text);
  return text === 'return' && !isPlain && after.kind !== 'string' && after.kind !== 'number';
}

/**
 * Lists the tokens that can run after a statement: the later tokens, up to the first declaration that did not complete, and the earlier
 * tokens of the outermost loop around the statement.
 */
function listLaterTokens(
  first: Statement,
  tokens: readonly CodeToken[],
  body: StatementList,
  incomplete: ReadonlySet<Statement>,
): readonly CodeToken[] {
  const lists = new Set([...climb(first)].map(({ list }) => list));
  const loop = [...climb(first)].findLast(({ kind }) => kind === 'loop' || kind === 'do');
  const last = [...incomplete].find(
    ({ list, from }) => lists.has(list) && !list.isInLoop && from >= first.to && !isCaught(first),
  );
  const end = last?.to ?? body.statements.at(-1)?.to ?? first.to;
  return [...tokens.slice(loop?.from ?? first.from, first.from), ...tokens.slice(first.headTo, end)];
}
