import type { CapturedValue } from '@throughline/contract/values';
import type { CheckedStep } from '../decode/read-trace.ts';

/** Maximum number of characters of an error's type, and of a function's name and file. */
const MAX_TYPE = 100;
const MAX_NAME = 200;
const MAX_FILE = 300;

/** Minimum number of characters of a function's name. Minifiers give shorter names, which differ between releases. */
const MIN_NAME = 3;

/** Parts of a path that differ between releases. */
const RELEASE_PARTS = [
  // At least 8 hexadecimal characters, such as a hash of the content or a time.
  /(?<=[-._~/]|^)(?=\w*\d)[0-9a-f]{8,}(?=[./]|$)/,
  // A hash in the name of a built file: at least 8 characters with a capital letter and a digit.
  /(?<=[-._~])(?=\w*\d)(?=\w*[A-Z])\w{8,}(?=\.)/,
  // A hash of 8 characters with a capital letter, in a folder of built files. A name in camel case, such as `userList`, is not a hash.
  /(?=[\w-]{8}\.[cm]?js$)(?<=(?:\/|^)(?:assets|chunks|dist|build|out|static|_next|\.next|\.output)\/.*[-.])(?=[\w-]{0,7}[A-Z])(?![A-Za-z][a-z]{2,}(?:[A-Z][a-z]{2,})*\.)[\w-]{8}/,
  // A folder with a version such as `1.2.3`, or with a date. A folder such as `v1` is kept, because it can be a part of the source code.
  /(?<=[-_@/]|^)v?\d+\.\d+\.\d+(?:[-+][\w.+-]*)?(?=\/)/,
  /(?<=\/|^)\d{4}-\d\d-\d\d[^/]*(?=\/)/,
  // The folder of one release, named by a long number, a date, a version or a hash. A name such as `v1` or `s3` is kept, because it can be
  // a part of the source code.
  /(?<=(?:\/|^)(?:releases|versions|deployments|builds)\/)(?=[^/]*(?:\d{6}|\d{4}-\d\d-\d\d|\d+\.\d+\.\d+|\b(?=[a-f]*\d)[0-9a-f]{7,}\b))[^/]+(?=\/)/,
  // The folder of one release, named by its number, such as `releases/42`. A folder such as `versions/2` is kept, because it can be a part
  // of the source code.
  /(?<=(?:\/|^)(?:releases|deployments|builds)\/)\d+(?=\/)/,
];
const RELEASE_PART = new RegExp(RELEASE_PARTS.map(({ source }) => source).join('|'), 'g');

/** A step whose function failed with the request's error. */
interface FailedStep {
  readonly stepId: string;
  readonly parentStepId: string;
  readonly endMicros: bigint;
  readonly names: StepNames;
}

/** The redacted names of a failed step. */
interface StepNames {
  readonly functionName: string;
  readonly filePath: string;
  /** The error's name, such as `TypeError`. */
  readonly type: CapturedValue | undefined;
}

/**
 * Finds the function that threw a request's error, among the steps that failed with the error's message. An error passes from the function
 * that threw it to the callers of this function, so the function is in a step without a failed step below it. If there are several such
 * steps, the function is in the step that ended first: the others received the error later, for example to log and throw it again.
 */
export class ErrorPlace {
  readonly #message: string;
  readonly #failed: FailedStep[] = [];

  /** `message` is the request's error message as it was sent; if it is empty, the place is unknown. */
  constructor(message: string) {
    this.#message = message;
  }

  /** Records a failed step, if it failed with the request's error message. `message` is the message of the step's error as it was sent. */
  note({ step, startMicros }: CheckedStep, message: CapturedValue | undefined, names: StepNames): void {
    if (this.#message === '' || message !== this.#message) return;
    this.#failed.push({
      stepId: step.stepId,
      parentStepId: step.parentStepId ?? '',
      endMicros: startMicros + BigInt(Math.round(step.duration * 1000)),
      names,
    });
  }

  /**
   * Returns the error's type, the function's name and the function's file, one per line; an empty string if the function is unknown. If a
   * library threw, returns the function of the service's own code that called the library. A function with a minified name is unknown.
   */
  write(): string {
    const functions = this.#listFromThrowing()
      .map(({ names }) => names)
      .filter(({ functionName }) => functionName !== '');
    const thrower = functions.find(({ filePath }) => filePath !== '') ?? functions[0];
    return thrower === undefined || thrower.functionName.length < MIN_NAME ? '' : formatPlace(thrower);
  }

  /** Lists the step that threw, followed by the steps that the error passed through. */
  #listFromThrowing(): FailedStep[] {
    const passedOn = new Set(this.#failed.map(({ parentStepId }) => parentStepId));
    let next: FailedStep | undefined;
    for (const step of this.#failed) {
      if (passedOn.has(step.stepId)) continue;
      if (next === undefined || step.endMicros < next.endMicros) next = step;
    }
    const byId = new Map(this.#failed.map((step) => [step.stepId, step]));
    const steps: FailedStep[] = [];
    while (next !== undefined) {
      steps.push(next);
      byId.delete(next.stepId);
      next = byId.get(next.parentStepId);
    }
    return steps;
  }
}

function formatPlace({ type, functionName, filePath }: StepNames): string {
  // The path is cut first, because the pattern takes quadratic time.
  const file = filePath.slice(0, MAX_FILE).replaceAll('\\', '/').replaceAll(RELEASE_PART, '…');
  return [
    cutLine(typeof type === 'string' ? type : '', MAX_TYPE),
    cutLine(functionName, MAX_NAME),
    cutLine(file, MAX_FILE),
  ].join('\n');
}

function cutLine(text: string, max: number): string {
  return text.slice(0, max).replaceAll('\n', ' ');
}
