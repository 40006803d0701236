import type { Server } from 'node:net';
import type { ActiveStep } from '../record/active-step.ts';
import { hasFrame } from '../record/instrumented.ts';
import type { Recording } from '../record/recording.ts';
import { UpgradeResponse } from './hooks/upgrade.ts';
import type { RequestTrace } from './trace/request-trace.ts';

/**
 * Opens the step of a server's own handler (`createServer(handler)`), so that the step has the type handler. Returns null if the handler is
 * not the only listener or is not instrumented: frameworks and libraries that listen create their own steps.
 */
export function openHandler(recording: Recording, server: Server, event: string): ActiveStep | null {
  const listeners: unknown[] = server.listeners(event);
  const [listener] = listeners;
  if (listeners.length !== 1 || !isFunction(listener) || !hasFrame(listener)) return null;
  recording.hasHandlers = true;
  return recording.open({
    name: listener.name || 'request handler',
    type: 'handler',
    parent: null,
    adopts: true,
  });
}

/** If a handler has returned without a response, keeps its step open until the response is written. */
export function holdUntilAnswered({ res, untilAnswered }: RequestTrace, handler: ActiveStep): void {
  const isAnswered = res.writableEnded || res instanceof UpgradeResponse;
  if (!isAnswered && handler.left && handler.reopen()) untilAnswered.push(handler);
}

function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function';
}
