import { STATUS_CODES } from 'node:http';
import { isUint8Array } from 'node:util/types';
import { type Headers, parseHead } from '../messages/headers.ts';
import type { TracedResponse } from '../messages/traced-message.ts';

/** The socket passed to `upgrade` and `connect` listeners, which write the response directly to it. */
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

/** The response to an upgrade request: the head that the host writes itself. Later data belongs to another protocol. */
export class UpgradeResponse implements TracedResponse {
  statusCode = 0;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  #head = '';

  /** Parses the first chunk that the host writes. */
  answer(chunk: unknown): void {
    const head = isUint8Array(chunk)
      ? Buffer.from(chunk.subarray(0, maxHead)).toString('latin1')
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
 * Observes a connection until the host responds or the connection closes. Methods are replaced on the socket itself and restored after the
 * first write, so a connection that carries another protocol for hours has no overhead.
 */
export function patchUpgrade(socket: UpgradeSocket, response: UpgradeResponse, onOver: () => void): void {
  const covers = new Map<keyof UpgradeSocket, unknown>();
  const uncover = (): void => {
    for (const [name, value] of covers) {
      // If the host has replaced the same method since, the host's method stays. The host's method calls the SDK's method, which then does
      // nothing more.
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
