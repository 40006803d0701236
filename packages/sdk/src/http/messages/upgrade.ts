import { STATUS_CODES } from 'node:http';
import { isUint8Array } from 'node:util/types';
import { type Headers, parseHead } from './headers.ts';
import type { TracedResponse } from './traced-message.ts';

/** A connection as `upgrade` and `connect` hand it over: what answers them writes to it directly. */
export interface UpgradeSocket {
  write: (...args: unknown[]) => unknown;
  end: (...args: unknown[]) => unknown;
  emit: (...args: unknown[]) => unknown;
}

export function isUpgradeSocket(value: unknown): value is UpgradeSocket {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['write', 'end', 'emit'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

const maxHead = 16_384;

/** The answer to a request to upgrade: the head that the host writes by hand. What follows belongs to another protocol. */
export class UpgradeResponse implements TracedResponse {
  statusCode = 0;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  #head = '';

  /** Takes the first thing written. */
  answer(chunk: unknown): void {
    const head = isUint8Array(chunk)
      ? Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, maxHead)).toString('latin1')
      : String(chunk).slice(0, maxHead);
    const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(head) ?? [];
    this.#head = head.split('\r\n\r\n', 1)[0] ?? '';
    this.statusCode = Number(status ?? 0);
    this.headersSent = status !== undefined && STATUS_CODES[status] !== undefined;
    this.writableEnded = true;
    this.writableFinished = true;
  }

  getHeaders(): Headers {
    return parseHead(this.#head);
  }
}

/**
 * Watches one connection until it is answered or gone. Its methods are replaced on the object itself and put back after the first write: a
 * connection that carries another protocol for hours costs nothing.
 */
export function watchUpgrade(socket: UpgradeSocket, response: UpgradeResponse, onOver: () => void): void {
  const covers = new Map<keyof UpgradeSocket, unknown>();
  const uncover = (): void => {
    for (const [name, value] of covers) {
      // Where the host has put its own over ours, that stays, and ours below it is done.
      if (Object.getOwnPropertyDescriptor(socket, name)?.value === value)
        Reflect.deleteProperty(socket, name);
    }
    covers.clear();
  };
  const cover = (name: keyof UpgradeSocket, isOver: (args: unknown[]) => boolean): void => {
    if (Object.hasOwn(socket, name)) return;
    const value = function (this: UpgradeSocket, ...args: unknown[]): unknown {
      const ends = covers.size > 0 && isOver(args);
      if (ends) uncover();
      const original: unknown = Reflect.get(Object.getPrototypeOf(socket), name);
      const result: unknown =
        typeof original === 'function' ? Reflect.apply(original, this, args) : undefined;
      if (ends) onOver();
      return result;
    };
    Object.defineProperty(socket, name, { value, enumerable: false, writable: true, configurable: true });
    covers.set(name, value);
  };
  const answered = ([chunk]: unknown[]): boolean => {
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') response.answer(chunk);
    return true;
  };
  cover('write', answered);
  cover('end', answered);
  cover('emit', ([event]) => event === 'close');
}
