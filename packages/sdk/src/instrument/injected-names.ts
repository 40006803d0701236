import { runtimeName } from '../record/runtime-name.ts';

/** The injected variables of one function. */
export interface FrameNames {
  readonly frame: string;
  /** What it returns. */
  readonly result: string;
  /** What is kept for a moment. */
  readonly temporary: string;
  /** A derived constructor's `this`. */
  readonly self: string;
}

/** The names that injected code declares in one source. They are short, since V8 reads each of them many times a function. */
export class InjectedNames {
  /** Of what a `catch` catches. */
  readonly error: string;
  private readonly prefix: string;
  private readonly levels: FrameNames[] = [];
  private readonly mirrors: string[] = [];

  constructor(prefix: string) {
    this.prefix = prefix;
    this.error = `${prefix}e`;
  }

  /** Of a function with so many others around it: those inside each other differ. */
  ofLevel(level: number): FrameNames {
    const { prefix } = this;
    this.levels[level] ??= {
      frame: `${prefix}${level}`,
      result: `${prefix}r${level}`,
      temporary: `${prefix}t${level}`,
      self: `${prefix}s${level}`,
    };
    return this.levels[level];
  }

  /** Of a variable that follows a binding. */
  mirror(index: number): string {
    this.mirrors[index] ??= `${this.prefix}v${index}`;
    return this.mirrors[index];
  }
}

const candidates = ['$_', '_$', runtimeName].map((prefix) => ({ prefix, names: new InjectedNames(prefix) }));

/** Names that stand nowhere in the source; undefined where all are taken. */
export function namesFor(source: string): InjectedNames | undefined {
  return candidates.find(({ prefix }) => !source.includes(prefix))?.names;
}
