import { subscribe } from 'node:diagnostics_channel';
import { call, isMethod, readOwnValue, readProperty, replaceOnce } from '../internal/foreign.ts';
import { runGuarded } from '../internal/report.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';

/** Maximum length of the log line in a step's name. */
const maxLine = 120;

const consoleMethods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/**
 * Creates a step for each line that `console` or pino logs within a recorded request. For winston, {@link patchWinston} does this once
 * winston is loaded.
 */
export function patchLoggers(): void {
  for (const method of consoleMethods) {
    replaceOnce(console, method, (original) => {
      return function (...args) {
        noteLine(method, args[0], args);
        return original.apply(this, args);
      };
    });
  }
  // This channel exists since pino 9.8. `arguments` are the merged object, the message, the level's number and the time.
  subscribe('tracing:pino_asJson:start', (message) => {
    runGuarded('Recording a log line', () => {
      const args = readProperty(message, 'arguments');
      const line = readProperty(args, '1');
      const labels = readProperty(readProperty(readProperty(message, 'instance'), 'levels'), 'labels');
      const label = readProperty(labels, String(readProperty(args, '2')));
      const values = { message: line, fields: readProperty(args, '0') };
      noteLine(typeof label === 'string' ? label : 'log', line, values);
    });
  });
}

/** Hooks a logger's `write`, which receives each entry once, whichever method logged the entry. */
export function patchWinston(logger: unknown): void {
  const prototype = readProperty(logger, 'prototype');
  // Loggers inherit `write` from streams. `write` is replaced only on the logger's prototype, so that other streams are not affected.
  if (!isMethod(readProperty(prototype, 'write'))) return;
  replaceOnce(prototype, 'write', (write) => {
    return function (...args) {
      const [entry] = args;
      const level = readOwnValue(entry, 'level');
      // Skips entries below the logger's level, because the logger's transports omit such entries.
      if (typeof level === 'string' && call(this, 'isLevelEnabled', level) !== false) {
        noteLine(level, readOwnValue(entry, 'message'), entry);
      }
      return write.apply(this, args);
    };
  });
}

function noteLine(level: string, line: unknown, values: unknown): void {
  const recording = getCurrentRecording();
  if (recording === undefined) return;
  runGuarded('Recording a log line', () => {
    const text = typeof line === 'string' && recording.all ? `${level}: ${line}` : level;
    const step = recording.open({
      name: text.length > maxLine ? `${recording.shorten(text, maxLine)}…` : text,
      type: 'log',
      parent: recording.here,
      ...(recording.all && { inputs: recording.snapshot(values) }),
      metadata: { level },
    });
    if (step !== null) recording.close(step);
  });
}
