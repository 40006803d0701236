import { mayCarryOperation } from '../../http/trace/graphql-request.ts';
import { getCurrentTrace, type RequestTrace } from '../../http/trace/request-trace.ts';
import { readProperty } from '../../internal/foreign.ts';
import { runGuarded } from '../../internal/report.ts';
import type { ActiveStep } from '../../record/active-step.ts';
import { propagation } from '../../record/async/async-parent.ts';
import type { Recording } from '../../record/recording.ts';
import { isFunction, makeAlike } from '../framework.ts';
import { observePromise } from '../layer-call.ts';
import { findOperation, type Operation } from './operation.ts';
import { findFirstError, findOriginal, reportFirstError } from './result-errors.ts';

type AnyFunction = (...args: unknown[]) => unknown;

export interface Execution {
  readonly document: unknown;
  readonly operationName: unknown;
  readonly variables: unknown;
}

/**
 * Steps of GraphQL operations. An operation below such a step was executed by a resolver, as in gateways, and is not the request's own
 * operation.
 */
const operationSteps = new WeakSet<ActiveStep>();

/** Creates a step for each execution, above the steps of its resolvers. Adds the request's own operation to the request's route. */
export function wrapExecution(
  original: unknown,
  read: (args: readonly unknown[]) => Execution,
): AnyFunction | undefined {
  if (!isFunction(original)) return undefined;
  // The library calls resolvers after promises of its own have settled, when no function of the host is on the stack. Only the async
  // context then shows the resolver's parent.
  propagation.on = true;
  return makeAlike(original, function (this: unknown, ...args: unknown[]): unknown {
    const run = (): unknown => original.apply(this, args);
    const begun = runGuarded('Recording a GraphQL operation', () => begin(read(args)));
    if (begun === undefined) return run();
    const { trace, recording, step, isOuter } = begun;
    const end = (result: unknown): void => {
      runGuarded('Recording a GraphQL operation', () => {
        const error = findFirstError(result);
        if (error !== undefined && isOuter) reportFirstError(trace, step, error);
        recording.close(step, { error: error && findOriginal(error) });
      });
    };
    const fail = (error: unknown): void => {
      runGuarded('Recording a GraphQL operation', () => recording.close(step, { error }));
    };
    let result: unknown;
    try {
      result = recording.within(step, run);
    } catch (error) {
      fail(error);
      throw error;
    }
    if (!observePromise(result, end, fail)) end(result);
    return result;
  });
}

/** Adds a subscription to the request's route. Data that the subscription sends later is not a step. */
export function wrapSubscription(
  original: unknown,
  read: (args: readonly unknown[]) => Execution,
): AnyFunction | undefined {
  if (!isFunction(original)) return undefined;
  return makeAlike(original, function (this: unknown, ...args: unknown[]): unknown {
    runGuarded('Recording a GraphQL operation', () => {
      const { document, operationName } = read(args);
      const trace = getCurrentTrace();
      if (trace === undefined || !mayCarryOperation(trace.req, trace.target)) return;
      const operation = findOperation(document, operationName, trace.shorten);
      if (operation !== undefined) noteOperation(trace, operation);
    });
    return original.apply(this, args);
  });
}

interface Begun {
  readonly trace: RequestTrace;
  readonly recording: Recording;
  readonly step: ActiveStep;
  /** True for an operation of the request itself. False if a resolver of another operation executes the operation. */
  readonly isOuter: boolean;
}

function begin({ document, operationName, variables }: Execution): Begun | undefined {
  const trace = getCurrentTrace();
  const recording = trace?.recording;
  if (trace === undefined || recording === null || recording === undefined) return undefined;
  const operation = findOperation(document, operationName, recording.shorten);
  if (operation === undefined) return undefined;
  const parent = recording.here;
  const isOuter = mayCarryOperation(trace.req, trace.target) && !isBelowOperation(parent);
  if (isOuter) noteOperation(trace, operation);
  const step = recording.open({
    name: operation.label,
    type: 'handler',
    parent,
    metadata: { 'graphql.operation.type': operation.type },
    ...(recording.all && variables !== undefined && { inputs: recording.snapshot({ variables }) }),
  });
  if (step === null) return undefined;
  operationSteps.add(step);
  return { trace, recording, step, isOuter };
}

function isBelowOperation(step: ActiveStep | null): boolean {
  for (let above = step; above !== null; above = above.parent) if (operationSteps.has(above)) return true;
  return false;
}

function noteOperation(trace: RequestTrace, { type, name, label }: Operation): void {
  if (!trace.addOperation(label)) return;
  trace.annotate('graphql.operation.type', type);
  if (name !== undefined) trace.annotate('graphql.operation.name', name);
}

/** Reads the arguments of graphql's `execute`: one object, or (up to version 15) separate arguments. */
export function readArguments(args: readonly unknown[]): Execution {
  const [first, document, , , variables, operationName] = args;
  if (args.length > 1) return { document, operationName, variables };
  return {
    document: readProperty(first, 'document'),
    operationName: readProperty(first, 'operationName'),
    variables: readProperty(first, 'variableValues'),
  };
}
