import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Fixture, Mode, Outlet } from './modes.ts';

/** The resources that a server has used, as the server itself reports them. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rssBytes: number;
  readonly delayP99Ms: number;
}

/** A fixture in its own process, on a free port. */
export class BenchServer {
  readonly #child: ChildProcess;
  readonly #messages: unknown[] = [];
  #wake: () => void = () => {};

  constructor(fixture: Fixture, mode: Mode, outlet: Outlet, nodeFlags: readonly string[] = []) {
    this.#child = spawn(process.execPath, [...nodeFlags, ...mode.flags, fixture.script], {
      cwd: dirname(fixture.script),
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...mode.env(outlet) },
      // Ignores stdout, because some tracers print a line per request.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => {
      this.#messages.push(message);
      this.#wake();
    });
  }

  async port(): Promise<number> {
    const message = await this.#next();
    if (
      typeof message === 'object' &&
      message !== null &&
      'port' in message &&
      typeof message.port === 'number'
    ) {
      return message.port;
    }
    throw new Error('the server did not say where it listens');
  }

  /** Reads the counters. `reset` also starts a new measurement of the event loop's delay. */
  async usage(what: 'read' | 'reset' = 'read'): Promise<Usage> {
    this.#child.send(what);
    const message = await this.#next();
    if (isUsage(message)) return message;
    throw new Error('the server did not say what it used');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.send('end');
    await gone;
  }

  async #next(): Promise<unknown> {
    while (this.#messages.length === 0) {
      if (this.#child.exitCode !== null) throw new Error('the server ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#child.once('exit', () => resolve());
      });
    }
    return this.#messages.shift();
  }
}

function isUsage(message: unknown): message is Usage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'cpuMicros' in message &&
    typeof message.cpuMicros === 'number'
  );
}
