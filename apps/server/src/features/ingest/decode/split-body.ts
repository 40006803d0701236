import { INGEST_LIMITS } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { buildLimitError } from '../receive/over-limit.ts';
import { CAPTURED, type CapturedStep } from './captured-step.ts';
import { JsonBytes } from './json-bytes.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-characters.ts';
import { NotReadable } from './json-number.ts';

/** The parts of a body, as strings and byte ranges instead of parsed objects. */
export interface BodyParts {
  /** A JSON object with those members of the body, other than the traces, that the server reads. */
  readonly envelope: string;
  /** Undefined if the body has no list of traces. */
  readonly traces: TraceParts | undefined;
  /** Number of bytes whose JSON limits were not checked: all bytes except the captured values. */
  readonly uncountedBytes: number;
}

/**
 * Finds the traces of a body and the captured values of their steps. Captured values are most of the body and are stored without being
 * parsed. If redaction rules depend on a value's path or hide all captured values, the values stay in their traces' JSON.
 * @throws NotReadable if the bytes are not JSON; JsonTooLarge, AppError `payload_too_large`
 */
export function splitBody(bytes: Buffer, redactor: Redactor): BodyParts {
  return new BodySearch(bytes, redactor).result();
}

/**
 * Numbers that are stored per step: the starts and the ends of the step's three captured values, and a flag that is set if all of them can
 * be stored unchanged.
 */
const NUMBERS_A_STEP = CAPTURED.length * 2 + 1;
const NONE = -1;
/** Number of bytes before a syntax error that the error message shows. */
const SHOWN_BYTES = 20;
/** Members of a body, other than the traces, that are read. All further members are skipped. */
const ENVELOPE = ['sdk', 'service'];
const MAX_TRACE_STEPS = INGEST_LIMITS.traceSteps.max;

/** A trace's position in the body, and the indexes of its entries in the shared arrays. */
interface TracePlace {
  readonly start: number;
  end: number;
  firstStep: number;
  steps: number;
  readonly firstCut: number;
  cuts: number;
}

/** Search results for all traces of a body: {@link NUMBERS_A_STEP} numbers per step, and the starts and ends of captured values. */
interface Found {
  readonly numbers: readonly number[];
  readonly cuts: readonly number[];
  readonly takesCaptured: boolean;
}

/** The positions of the traces in a body. */
export class TraceParts {
  readonly #bytes: Buffer;
  readonly #places: readonly TracePlace[];
  readonly #numbers: readonly number[];
  readonly #cuts: readonly number[];
  readonly #takesCaptured: boolean;

  constructor(bytes: Buffer, places: readonly TracePlace[], found: Found) {
    this.#bytes = bytes;
    this.#places = places;
    this.#numbers = found.numbers;
    this.#cuts = found.cuts;
    this.#takesCaptured = found.takesCaptured;
  }

  get count(): number {
    return this.#places.length;
  }

  /** Returns true if a trace has too many steps. Steps above the limit were not read. */
  hasTooManySteps(trace: number): boolean {
    return (this.#places[trace]?.steps ?? 0) > MAX_TRACE_STEPS;
  }

  /** Returns the JSON of a trace, with `null` instead of captured values. */
  jsonOf(trace: number): string {
    const place = this.#places[trace];
    if (place === undefined) throw new RangeError(`there is no trace ${trace}`);
    const pieces: string[] = [];
    let start = place.start;
    for (let cut = place.firstCut; cut < place.firstCut + place.cuts; cut += 2) {
      pieces.push(this.#textOf(start, this.#cuts[cut] ?? start));
      start = this.#cuts[cut + 1] ?? start;
    }
    pieces.push(this.#textOf(start, place.end));
    return pieces.join('null');
  }

  /** Returns a step's captured values by the indexes of its trace and the step. Returns undefined if the values are in the trace's JSON. */
  capturedOf(trace: number, step: number): CapturedStep | undefined {
    if (!this.#takesCaptured) return undefined;
    const at = (this.#places[trace]?.firstStep ?? 0) + step * NUMBERS_A_STEP;
    let members = '';
    let start = NONE;
    let end = NONE;
    for (const [index, name] of CAPTURED.entries()) {
      const nextStart = this.#numbers[at + index * 2] ?? NONE;
      if (nextStart === NONE) continue;
      const before = `${start === NONE ? '{' : ','}"${name}":`;
      // If only a comma and the member's name are between two captured values, both members are copied as one slice of the body.
      if (start === NONE || nextStart - end !== before.length) {
        members += this.#textOf(start, end) + before;
        start = nextStart;
      }
      end = this.#numbers[at + index * 2 + 1] ?? NONE;
    }
    return {
      json: start === NONE ? '' : `${members}${this.#textOf(start, end)}}`,
      asItStands: this.#numbers[at + NUMBERS_A_STEP - 1] === 1,
    };
  }

  #textOf(start: number, end: number): string {
    return start === NONE ? '' : this.#bytes.toString('utf8', start, end);
  }
}

class BodySearch {
  readonly #bytes: Buffer;
  readonly #json: JsonBytes;
  readonly #takesCaptured: boolean;
  readonly #numbers: number[] = [];
  readonly #cuts: number[] = [];
  readonly #envelope: string[] = [];
  #places: TracePlace[] | undefined;
  #trace: TracePlace = { start: 0, end: 0, firstStep: 0, steps: 0, firstCut: 0, cuts: 0 };
  #steps = 0;
  #stepStart = 0;
  #cutBytes = 0;
  /** Start and end of the name of the member whose value comes next. */
  #nameStart = 0;
  #nameEnd = 0;
  #isNamePlain = true;

  constructor(bytes: Buffer, redactor: Redactor) {
    this.#bytes = bytes;
    this.#json = new JsonBytes(bytes, redactor);
    this.#takesCaptured = !redactor.hasPaths && !CAPTURED.some((name) => redactor.judge(name) !== 'plain');
  }

  result(): BodyParts {
    this.#read();
    const found = { numbers: this.#numbers, cuts: this.#cuts, takesCaptured: this.#takesCaptured };
    return {
      envelope: `{${this.#envelope.join(',')}}`,
      traces: this.#places && new TraceParts(this.#bytes, this.#places, found),
      uncountedBytes: this.#bytes.length - this.#cutBytes,
    };
  }

  #read(): void {
    const json = this.#json;
    try {
      json.skipByteOrderMark();
      if (json.peek() === OPEN_OBJECT) this.#object(this.#body, 1);
      else json.readValue(0);
      json.expectEnd();
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      const at = Math.min(json.at, this.#bytes.length);
      const before = this.#bytes.toString('utf8', Math.max(0, at - SHOWN_BYTES), at);
      throw new NotReadable(`it breaks near position ${at}, behind ${JSON.stringify(before)}`);
    }
  }

  readonly #body = (): boolean => {
    const json = this.#json;
    if (this.#isNamed('traces')) {
      this.#places = undefined;
      if (json.peek() !== OPEN_LIST) return false;
      const places: TracePlace[] = [];
      this.#places = places;
      this.#list(() => this.#readTrace(places));
      return true;
    }
    json.peek();
    const start = json.at;
    // The body's other members are not parsed later, so invalid JSON in them must be found here.
    const name = ENVELOPE.find((each) => this.#isNamed(each));
    if (name === undefined) {
      json.textAt(this.#nameStart, this.#nameEnd);
      json.readValue(1);
    } else {
      json.passValue(1);
      this.#envelope.push(`"${name}":${this.#bytes.toString('utf8', start, json.at)}`);
    }
    return true;
  };

  #readTrace(places: TracePlace[]): void {
    if (places.length === INGEST_LIMITS.traces.max) throw buildLimitError('traces');
    const firstCut = this.#cuts.length;
    this.#trace = {
      start: this.#json.at,
      end: 0,
      firstStep: this.#numbers.length,
      steps: 0,
      firstCut,
      cuts: 0,
    };
    places.push(this.#trace);
    if (this.#json.peek() === OPEN_OBJECT) this.#object(this.#traceMember, 3);
    else this.#json.passValue(2);
    this.#trace.end = this.#json.at;
    this.#trace.cuts = this.#cuts.length - firstCut;
  }

  readonly #traceMember = (): boolean => {
    if (!this.#isNamed('flow') || this.#json.peek() !== OPEN_LIST) return false;
    this.#trace.firstStep = this.#numbers.length;
    this.#trace.steps = 0;
    this.#list(() => this.#readStep());
    return true;
  };

  #readStep(): void {
    this.#steps += 1;
    if (this.#steps > INGEST_LIMITS.steps.max) throw buildLimitError('steps');
    this.#trace.steps += 1;
    const isRead = this.#takesCaptured && this.#trace.steps <= MAX_TRACE_STEPS;
    if (isRead) {
      this.#stepStart = this.#numbers.length;
      this.#numbers.push(NONE, NONE, NONE, NONE, NONE, NONE, 1);
    }
    if (isRead && this.#json.peek() === OPEN_OBJECT) this.#object(this.#stepMember, 5);
    else this.#json.passValue(4);
  }

  readonly #stepMember = (): boolean => {
    let index = 0;
    while (index < CAPTURED.length && !this.#isNamed(CAPTURED[index] ?? '')) index++;
    if (index === CAPTURED.length) return false;
    const json = this.#json;
    const first = json.peek();
    // The contract rejects `variables` if it is not an object, so the value stays in the trace's JSON.
    if (CAPTURED[index] === 'variables' && first !== OPEN_OBJECT) return false;
    const start = json.at;
    const asItStands = json.readValue(5);
    this.#numbers[this.#stepStart + index * 2] = start;
    this.#numbers[this.#stepStart + index * 2 + 1] = json.at;
    if (!asItStands) this.#numbers[this.#stepStart + NUMBERS_A_STEP - 1] = 0;
    this.#cuts.push(start, json.at);
    this.#cutBytes += json.at - start;
    return true;
  };
  /** Returns true if the member whose value comes next has this name. */
  #isNamed(name: string): boolean {
    if (!this.#isNamePlain) return this.#json.textAt(this.#nameStart, this.#nameEnd) === name;
    if (name.length !== this.#nameEnd - this.#nameStart) return false;
    for (let index = 0; index < name.length; index++) {
      if (name.charCodeAt(index) !== this.#bytes[this.#nameStart + index]) return false;
    }
    return true;
  }

  /** Moves past a list; `each` reads one item. */
  #list(each: () => void): void {
    const json = this.#json;
    json.expect(OPEN_LIST);
    if (json.peek() === CLOSE_LIST) {
      json.expect(CLOSE_LIST);
      return;
    }
    for (;;) {
      json.peek();
      each();
      const token = json.token();
      if (token === CLOSE_LIST) return;
      if (token !== COMMA) throw new NotReadable();
    }
  }

  /** Moves past an object at nesting level `depth`; `readMember` reads the values of the members that are needed. */
  #object(readMember: ReadMember, depth: number): void {
    const json = this.#json;
    json.expect(OPEN_OBJECT);
    let token = json.token();
    if (token === CLOSE_OBJECT) return;
    for (;;) {
      if (token !== QUOTE) throw new NotReadable();
      this.#nameStart = json.at;
      this.#isNamePlain = json.passText();
      this.#nameEnd = json.at - 1;
      json.expect(COLON);
      if (!readMember()) json.passValue(depth);
      token = json.token();
      if (token === CLOSE_OBJECT) return;
      if (token !== COMMA) throw new NotReadable();
      token = json.token();
    }
  }
}

/** Reads a member's value; returns false if the caller must skip it. */
type ReadMember = () => boolean;
