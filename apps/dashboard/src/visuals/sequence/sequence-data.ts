import type { StepForest, StepNode } from '../steps/analysis/step-forest.ts';
import type { StepOutcome } from '../steps/step-outcome.ts';
import { each, runWithoutPauses, type Work } from '../work/work.ts';
import { type Actor, findTarget, getSpanId } from './call-target.ts';

/** The request that one service handled in a distributed trace. Times are in milliseconds. */
export interface SequenceRequest {
  readonly id: string;
  readonly service: string;
  /** "POST /checkout". */
  readonly name: string;
  /** The response status, such as "500", or a substitute text if there was no response. */
  readonly answer: string;
  readonly failed: boolean;
  /** The start of the request, counted from the start of the first request of the distributed trace. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly parentSpanId: string | null;
  readonly forest: StepForest;
}

/** A line of the diagram; `from` and `to` are indexes of actors. */
export type Message = RequestMessage | CallMessage | AnswerMessage;

interface Place {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly outcome: StepOutcome;
}

/** An incoming request. */
export interface RequestMessage extends Place {
  readonly kind: 'request';
  readonly requestId: string;
}

/** A call from a step to something outside its service: one call, or several equal calls in a row. */
export interface CallMessage extends Place {
  readonly kind: 'call';
  readonly requestId: string;
  /** The calls' steps in start order. */
  readonly nodes: readonly StepNode[];
  readonly calls: number;
  /** The function that made the call. */
  readonly caller: string | undefined;
}

/** The response to a request. */
export interface AnswerMessage extends Place {
  readonly kind: 'answer';
  readonly requestId: string;
}

export interface Sequence {
  readonly actors: readonly Actor[];
  readonly messages: readonly Message[];
}

/** Minimum number of equal calls in a row that are drawn as one. */
const MIN_RUN = 3;

/**
 * Builds the sequence of calls in start order: `first` with all its outgoing calls and, for each call that reached another traced service,
 * the calls of the called service. `others` are the other requests of the same distributed trace.
 */
export function buildSequence(first: SequenceRequest, others: readonly SequenceRequest[]): Sequence {
  return runWithoutPauses(buildSequenceWork(first, others));
}

/** Building the sequence can pause each time it has added this number of messages. */
const MESSAGES_AT_ONCE = 256;

/** Like {@link buildSequence}, but can be paused. */
export function* buildSequenceWork(
  first: SequenceRequest,
  others: readonly SequenceRequest[],
): Work<Sequence> {
  const calls = new Map<string, readonly Call[]>();
  for (const request of [first, ...others]) calls.set(request.id, yield* findCalls(request));
  const actors: Actor[] = [];
  const findPlace = (actor: Actor): number => {
    const known = actors.findIndex(({ kind, name }) => kind === actor.kind && name === actor.name);
    return known >= 0 ? known : actors.push(actor) - 1;
  };
  const bySpan = new Map(
    others.flatMap((each) => (each.parentSpanId === null ? [] : [[each.parentSpanId, each]])),
  );
  const caller = findCaller(first, others);
  const messages: Message[] = [];
  const drawn = new Set([first.id]);
  // The messages that are still to be added, the next one last. A stack replaces recursion, because services may call each other to any
  // depth.
  const pending: (() => void)[] = [];
  const draw = (request: SequenceRequest, asker: number) => {
    const self = findPlace({ kind: 'service', name: request.service });
    const { id: requestId, failed, startMs, durationMs } = request;
    const place = { requestId, durationMs };
    messages.push({
      ...place,
      outcome: 'ended',
      kind: 'request',
      key: `request ${requestId}`,
      from: asker,
      to: self,
      label: request.name,
      atMs: startMs,
    });
    pending.push(() =>
      messages.push({
        ...place,
        outcome: failed ? 'failed' : 'ended',
        kind: 'answer',
        key: `answer ${requestId}`,
        from: self,
        to: asker,
        label: request.answer,
        atMs: startMs + durationMs,
      }),
    );
    for (const call of (calls.get(requestId) ?? []).toReversed()) {
      pending.push(() => {
        const reached = call.nodes.length === 1 ? bySpan.get(getSpanId(call.first.step)) : undefined;
        if (reached !== undefined && !drawn.has(reached.id)) {
          drawn.add(reached.id);
          const to = findPlace({ kind: 'service', name: reached.service });
          messages.push(toMessage(call, request, self, to));
          draw(reached, self);
          return;
        }
        messages.push(toMessage(call, request, self, findPlace(call.target)));
      });
    }
  };
  draw(first, findPlace(caller));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    next();
    if (messages.length % MESSAGES_AT_ONCE === 0) yield;
  }
  return { actors, messages };
}

function findCaller(first: SequenceRequest, others: readonly SequenceRequest[]): Actor {
  const asked = others.find(({ forest }) =>
    forest.all.some(({ step }) => first.parentSpanId !== null && getSpanId(step) === first.parentSpanId),
  );
  return asked === undefined ? { kind: 'client', name: 'Client' } : { kind: 'service', name: asked.service };
}

interface Call {
  readonly target: Actor;
  readonly first: StepNode;
  readonly nodes: readonly StepNode[];
}

/**
 * Returns outgoing calls in start order. `MIN_RUN` or more equal calls in a row become one call. A call below another call to the same
 * target belongs to that call: a database library's call and the driver's call below it are one message.
 */
function* findCalls({ forest }: SequenceRequest): Work<Call[]> {
  const targets = new Map<StepNode, Actor>();
  const calls: { target: Actor; first: StepNode; nodes: StepNode[] }[] = [];
  yield* each(forest.all, (node) => {
    const target = findTarget(node.step);
    if (target === undefined || isPartOfCall(node, target, targets)) return;
    targets.set(node, target);
    const last = calls.at(-1);
    if (last !== undefined && isAlike(last, node, target)) last.nodes.push(node);
    else calls.push({ target, first: node, nodes: [node] });
  });
  return calls.flatMap((call) =>
    call.nodes.length >= MIN_RUN
      ? [call]
      : call.nodes.map((node) => ({ target: call.target, first: node, nodes: [node] })),
  );
}

function isPartOfCall(node: StepNode, target: Actor, targets: ReadonlyMap<StepNode, Actor>): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const above = targets.get(at);
    if (above !== undefined && above.kind === target.kind && above.name === target.name) return true;
  }
  return false;
}

/** True if a call can be merged with the previous call. A call that threw is never merged, so that it stays visible. */
function isAlike(call: Call, { step, outcome }: StepNode, target: Actor): boolean {
  const { first } = call;
  return (
    call.target.kind === target.kind &&
    call.target.name === target.name &&
    first.step.stepName === step.stepName &&
    first.outcome === 'ended' &&
    outcome === 'ended'
  );
}

function toMessage(call: Call, request: SequenceRequest, from: number, to: number): CallMessage {
  const { first, nodes } = call;
  const parent = first.parent?.step;
  return {
    kind: 'call',
    key: `${request.id} ${first.key}`,
    requestId: request.id,
    from,
    to,
    label: first.step.stepName,
    atMs: request.startMs + first.startMs,
    durationMs: nodes.reduce((sum, { step }) => sum + step.duration, 0),
    outcome: first.outcome,
    nodes,
    calls: nodes.reduce((sum, { step }) => sum + (step.repeat?.count ?? 1), 0),
    caller: parent?.functionName ?? parent?.stepName,
  };
}
