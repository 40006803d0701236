import { isProxy } from 'node:util/types';
import type { RequestTrace } from '../../http/trace/request-trace.ts';
import { isObject } from '../../internal/is-object.ts';
import { runGuarded } from '../../internal/report.ts';
import { readOwnData } from '../../record/snapshot/class-kind.ts';
import { readErrorText } from '../../record/snapshot/error.ts';
import { isFunction, makeAlike } from '../framework.ts';
import { observePromise } from '../layer-call.ts';
import { findHapiTrace, isOwnRoute, readHapiRoute } from './hapi-request.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Patches the methods by which a Hapi request finds its route and receives its response. Hapi calls no function of the host if it refuses
 * a request itself, for example because of an invalid payload.
 */
export function patchHapiRequests(prototype: Record<string, AnyFunction>): void {
  const { _lookup, _setResponse } = prototype;
  if (_lookup === undefined || _setResponse === undefined) return;
  prototype._lookup = makeAlike(_lookup, function (this: unknown, ...args: unknown[]): unknown {
    const result = _lookup.apply(this, args);
    const route = readHapiRoute(this);
    const trace = findHapiTrace(this);
    if (trace !== undefined && route !== undefined && !isOwnRoute(route)) trace.route = route.path;
    return result;
  });
  prototype._setResponse = makeAlike(_setResponse, function (this: unknown, ...args: unknown[]): unknown {
    const trace = findHapiTrace(this);
    if (trace?.ended === false && isObject(this)) noteResponse(trace, this, args[0]);
    return _setResponse.apply(this, args);
  });
}

/**
 * Called when Hapi sets a request's response, which is an error for a refused or failed request. Does nothing if the client has
 * disconnected, because Hapi then sets an error of its own.
 */
function noteResponse(trace: RequestTrace, request: object, response: unknown): void {
  runGuarded('Recording a response', () => {
    if ('active' in request && isFunction(request.active) && !request.active()) return;
    trace.reportsFailures = true;
    if (!isObject(response) || !('isBoom' in response) || isUnknownPath(request, response)) return;
    trace.reportFailure(addDetails(response));
    markReturned(trace, response);
  });
}

/** True for the error with which Hapi responds if no route matches. `params` is null before Hapi has looked for a route. */
function isUnknownPath(request: object, error: object): boolean {
  const route = readHapiRoute(request);
  const output = readOwnData(error, 'output');
  return (
    route !== undefined &&
    isOwnRoute(route) &&
    readOwnData(request, 'params') !== null &&
    isObject(output) &&
    readOwnData(output, 'statusCode') === 404
  );
}

/** The errors of validators, by the general error with which Hapi responds instead. */
const detailsOf = new WeakMap<object, object>();

/** Stores why a validator refused a request. By default, Hapi's response only names the part of the request that is invalid. */
export function noteDetails(error: unknown, details: unknown): void {
  if (isObject(error) && isObject(details) && error !== details) detailsOf.set(error, details);
}

/** Returns the error; or its message and the message of the validator's error, if there is one. */
function addDetails(error: object): object {
  const details = detailsOf.get(error);
  const reason = details && readErrorText(details, 'message');
  if (details === undefined || reason === undefined) return error;
  return { name: readErrorText(details, 'name'), message: `${readErrorText(error, 'message')}: ${reason}` };
}

/** Marks the step of the function that returned the error as failed, because Hapi treats a returned error as thrown. */
function markReturned({ lastReturned, recording }: RequestTrace, error: object): void {
  if (lastReturned === null || recording === null) return;
  const { step, result } = lastReturned;
  const mark = (value: unknown) => {
    // An authentication scheme returns an object that contains the error.
    const isShown = isObject(value) && !isProxy(value);
    if (value === error || (isShown && readOwnData(value, 'error') === error)) recording.fail(step, error);
  };
  if (!observePromise(result, mark, () => {})) mark(result);
}
