import {
  mayBeName,
  type NameVerdict,
  noteSecret,
  type Redactor,
  type RoleOfKey,
} from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import type { CapturedNames } from '../capture/capture-names.ts';
import type { CaptureRules } from '../capture/capture-rules.ts';
import type { CaptureLimits } from '../capture/limits.ts';
import { DeferredStacks } from '../errors/deferred-stacks.ts';
import { ShownStacks } from '../errors/stack-places.ts';
import { findPreparedSummary } from '../summaries/find-summary.ts';
import { hasMethods } from '../summaries/has-methods.ts';
import { CapturedText } from '../writer/captured-text.ts';
import { CleanTexts } from '../writer/clean-texts.ts';
import { buildFragment } from '../writer/json-writer.ts';
import {
  arrayPrototype,
  getPrototypeOf,
  hasOwn,
  isArray,
  isProxy,
  objectPrototype,
} from '../writer/primordials.ts';
import { SeenObjects } from '../writer/seen-objects.ts';
import { NO_PLACE, type Root } from '../writer/value-path.ts';
import { MIN_REFERRED, WrittenObjects } from '../writer/written-objects.ts';
import { MARKER_BYTES, SnapshotBudget } from './budget.ts';
import { detectKind, findClassName, type Kind } from './class-kind.ts';
import { captureCollection, captureError, captureLeaf } from './exotic.ts';
import { hidesWhole, holdsSecret, isShownByValue, labelsSecret, namesItem, redactSince } from './hidden.ts';
import { NO_NODE, type Node, SnapshotNodes } from './nodes.ts';
import { captureArray, captureInstance, capturePlain, captureTooDeep } from './object.ts';
import { capturePrimitive, proxyForm } from './primitive.ts';
import { captureDependency, captureSummary } from './summary.ts';
import { createShorten, type Shorten, takeFirstUnits } from './text.ts';
import { captureUnfit } from './unfit.ts';
import type { ValueWalk } from './walk.ts';

/** Maximum number of bytes that the tagged form of a container adds to its contents. */
const WRAPPING_BYTES = 128;

const accessorForm = buildFragment('{"$type":"accessor"},');

/**
 * Writes one request's values in their present state as JSON, without the secrets that are recognized during the capture. Runs no host code:
 * no getter, proxy trap, `toJSON`, iterator or `Symbol.toStringTag`. Values beyond the limits are marked at their position and counted.
 */
export class Snapshotter implements ValueWalk {
  readonly limits: CaptureLimits;
  readonly budget: SnapshotBudget;
  readonly redactor: Redactor | null;
  readonly texts: CleanTexts | null;
  readonly shorten: Shorten;
  readonly hidesAll: boolean;
  readonly names: CapturedNames;
  /** Strings that were redacted. They must not appear in the rest of the trace, either. */
  readonly secrets = new Set<string>();
  readonly seen = new SeenObjects();
  readonly written = new WrittenObjects();
  /** Errors whose stacks are read later. */
  readonly deferred = new DeferredStacks();
  /** True while values of a step are captured, and after `end`. */
  busy = false;
  ordinary = true;
  readonly #nodes = new SnapshotNodes();
  #depthCuts = 0;
  /** True while a secret value is captured. A marker replaces the value afterwards. */
  #hiding = false;
  /** True while `this` is captured. */
  #inSelf = false;
  /** True if names and values alternate in the next array. */
  #inTurn = false;
  /** Position of the last value that the redaction can check only in a second pass, over the whole captured value. */
  #doubtful = -1;
  #doubtfulBefore = -1;

  constructor(limits: CaptureLimits, rules: CaptureRules) {
    this.limits = limits;
    this.budget = new SnapshotBudget(limits.requestBytes);
    this.names = rules.names;
    this.redactor = rules.redactor;
    this.texts = rules.redactor && new CleanTexts(rules.redactor);
    this.shorten = rules.shortener === null ? takeFirstUnits : createShorten(rules.shortener, this.secrets);
    this.hidesAll = rules.hidesAll;
  }

  /** Number of values that were cut or left out. */
  get cutValues(): number {
    return this.budget.cutValues;
  }

  /** Total size of the cut values, as far as their size is known without reading them: characters of strings, bytes of binary data. */
  get cutBytes(): number {
    return this.budget.cutBytes;
  }

  /** Bytes of JSON written since `beginStep`. */
  get stepBytes(): number {
    return this.budget.spent;
  }

  /**
   * Starts a capture with a new table of references and the remaining bytes of the step's budget. Returns false after {@link end}. Also
   * returns false during another capture, which happens if the redaction uses a built-in that the host replaced by a traced function. The
   * caller sets `busy` to false at the end.
   */
  beginStep(spentBytes = 0, step = -1): boolean {
    if (this.busy) return false;
    this.busy = true;
    this.written.beginStep(step);
    this.budget.grant(this.limits.stepBytes - spentBytes);
    // Nodes can be left over from a capture that ended because the stack was full.
    this.#nodes.clear();
    this.ordinary =
      !hasOwn(objectPrototype, 'writable') &&
      !hasOwn(objectPrototype, 'value') &&
      getPrototypeOf(arrayPrototype) === objectPrototype;
    return true;
  }

  /** Releases the host's objects after a capture; the next capture can be much later. */
  endStep(): void {
    this.#nodes.clear();
  }

  /** Captures no more values and releases the host's objects. Captured JSON is valid until its buffer is returned. */
  end(): void {
    this.busy = true;
    this.#nodes.release();
    this.seen.clear();
    this.written.release();
    this.deferred.forget();
  }

  /**
   * Captures the value in its present state. `path` is the value's path in its step (`['parameters', 'order']`), which references to
   * objects inside the value contain. In a path, the position of a Map's entry stands for the entry's value, the position and 'key' for its
   * key, and 'cause' for an error's cause.
   */
  take(value: unknown, path: Root): CapturedText {
    const start = this.budget.writer.end;
    this.write(value, path);
    return this.textFrom(start);
  }

  /** Captures a value like {@link take}, but returns plain data. Reads the stacks of errors immediately. */
  takeNow(value: unknown, path: Root): CapturedValue {
    const { count } = this.deferred;
    const taken = this.take(value, path);
    this.deferred.readAfter(count);
    return taken.read();
  }

  /** Writes a placeholder for the stack of an error. */
  leavePlaceForStack(error: object): void {
    const { redactor } = this;
    const { writer } = this.budget;
    writer.stacks ??= new ShownStacks(this.deferred, (text) => redactor?.text(text) ?? text, this.shorten);
    writer.stacks.leavePlace(writer, error);
  }

  /** Returns the text of the value that was written from `start` on. Only one value must have been written. */
  textFrom(start: number): CapturedText {
    const { writer } = this.budget;
    return new CapturedText(writer, start, writer.end - 1, this.redactor !== null && this.#doubtful < start);
  }

  /** Writes the value in its present state, followed by a comma. For `path`, see {@link take}. */
  write(value: unknown, path: Root): void {
    const { budget } = this;
    const { writer, stop } = budget;
    const start = writer.end;
    try {
      this.#nodes.startAt(path);
      if (budget.left < MARKER_BYTES) captureUnfit(this, value);
      else this.visit(value, 0, NO_NODE, '');
    } catch {
      // The host's stack is almost full, or the engine refuses to describe the value.
      writer.end = start;
      budget.stop = stop;
      this.written.forget();
      this.#hiding = this.#inTurn = false;
      budget.cut(typeof value, 'depth');
    }
  }

  /** Writes `this` like {@link write}. If `this` contains instances with methods, such as services, shows only their primitive fields. */
  writeSelf(self: unknown, path: Root): void {
    this.#inSelf = true;
    this.write(self, path);
    this.#inSelf = false;
  }

  /** Writes a named value like {@link write}. The name can mark the value as a secret. Returns the position at which the value begins. */
  writeNamed(name: string, value: unknown, path: Root): number {
    const { writer } = this.budget;
    const known = this.names.of(name);
    writer.fragment(known.json);
    const start = writer.end;
    const { paused } = this.written;
    const hides = this.isHidden(known.verdict, value);
    if (hides) this.written.paused = true;
    this.write(value, path);
    this.written.paused = paused;
    if (hides) {
      this.noteSecret(value);
      redactSince(writer, start);
    }
    if (known.role !== undefined) this.noteRole(known.role, value);
    return start;
  }

  visit(value: unknown, depth: number, parent: Node, key: string | number): void {
    if (typeof value !== 'object' || value === null) capturePrimitive(this, value);
    else if (isProxy(value)) this.budget.writer.fragment(proxyForm);
    else this.#object(value, depth, parent, key);
  }

  property(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void {
    const isData = this.ordinary ? descriptor.writable !== undefined : hasOwn(descriptor, 'value');
    if (isData) this.visit(descriptor.value, depth + 1, parent, key);
    else this.budget.writer.fragment(accessorForm);
  }

  secret(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void {
    if (hasOwn(descriptor, 'value')) this.secretValue(descriptor.value, depth + 1, parent, key);
    else this.budget.writer.fragment(accessorForm);
  }

  secretValue(value: unknown, depth: number, parent: Node, key: string | number): void {
    const { writer } = this.budget;
    const start = writer.end;
    this.noteSecret(value);
    const outer = this.#hiding;
    this.#hiding = true;
    this.visit(value, depth, parent, key);
    this.#hiding = outer;
    redactSince(writer, start);
  }

  rawHeaders(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string): void {
    this.#inTurn = true;
    this.property(descriptor, depth, parent, key);
    this.#inTurn = false;
  }

  /** Set of strings to add redacted parts to; undefined while a whole value is redacted, since its parts need no redaction. */
  get noted(): Set<string> | undefined {
    return this.#hiding ? undefined : this.secrets;
  }

  isSecret(key: unknown, value: unknown): boolean {
    if (this.redactor === null || typeof key !== 'string' || key.length > this.limits.stringLength)
      return false;
    return this.isHidden(this.redactor.known(key).verdict, value);
  }

  isHidden(verdict: NameVerdict, value: unknown): boolean {
    if (verdict === 'plain') return false;
    if (isShownByValue(verdict, value)) return typeof value === 'string' && holdsSecret(this, value);
    if (hidesWhole(this, verdict, value)) return true;
    this.#doubtfulBefore = this.#doubtful;
    this.#doubtful = this.budget.writer.end;
    return false;
  }

  noteRole(role: RoleOfKey, value: unknown): void {
    const tells =
      role === 'keys'
        ? typeof value === 'object'
        : role === 'type of key'
          ? value !== null && value !== undefined
          : typeof value === 'string' && (role === 'label' ? labelsSecret(this, value) : this.#isName(value));
    if (tells) this.#doubtful = this.budget.writer.end;
  }

  noteText(text: string, isRewritten: boolean): void {
    if (isRewritten || this.redactor?.hasSecretParameters(text)) this.#doubtful = this.budget.writer.end;
  }

  noteHidden(text: unknown): void {
    if (this.#hiding) this.noteSecret(text);
  }

  noteItem(item: string): void {
    if (this.#hiding) this.noteSecret(item);
    else if (namesItem(this, item)) this.#doubtful = this.budget.writer.end;
  }

  /** True if the string that was written last is a name of a secret. */
  #isName(text: string): boolean {
    const { redactor, budget } = this;
    if (redactor === null || !mayBeName(budget.writer.signs, text.length)) return false;
    return redactor.namesSecret(text);
  }

  /** Stores a value that is redacted because of its name, so that it is redacted in the whole trace, even where it has no name. */
  private noteSecret(value: unknown): void {
    if (typeof value !== 'string' || value.length > this.limits.stringLength) return;
    noteSecret(value, this.secrets);
  }

  #object(value: object, depth: number, parent: Node, key: string | number): void {
    const list = isArray(value);
    const prototype: object | null = list ? null : getPrototypeOf(value);
    const plain = list || prototype === objectPrototype;
    const name = list ? 'array' : plain ? 'Object' : findClassName(prototype);
    const kind = plain ? 'object' : detectKind(value, name);
    if (kind !== 'object' && captureLeaf(this, value, kind, name)) return;
    const seen = this.#nodes.find(value, depth);
    if (seen !== NO_NODE) this.#reference(seen);
    else if (depth > this.limits.depth) this.#depthCuts += captureTooDeep(this, value, name, kind);
    else if (!this.budget.hasRoom(WRAPPING_BYTES))
      this.budget.cut(name === 'Object' ? 'object' : name, 'bytes');
    else {
      const node = this.#nodes.open(value, depth, parent, key);
      const cutsBefore = this.#depthCuts;
      const { written } = this;
      const start = this.budget.writer.end;
      const doubtful = this.#doubtful === start ? this.#doubtfulBefore : this.#doubtful;
      const place = this.#hiding
        ? NO_PLACE
        : written.open(this.#nodes.root, this.#nodes.placeOf(parent), key, start);
      const firstOpen = written.openCount;
      this.#nodes.setPlace(node, place);
      this.budget.open();
      this.#opened(value, kind, name, prototype, depth, node);
      this.budget.close();
      if (this.#depthCuts > cutsBefore) this.#nodes.markCut(node);
      if (place !== NO_PLACE && this.#written(value, node, place, start, firstOpen))
        this.#doubtful = doubtful;
    }
  }

  /**
   * Ends an object. If the object has not changed since it was written before, and its JSON is not short, a reference replaces its JSON, and
   * the result is true.
   */
  #written(value: object, node: Node, place: number, start: number, firstOpen: number): boolean {
    const { written, budget } = this;
    const { writer } = budget;
    const end = writer.end - 1;
    const before = written.close(writer, value, place, end, firstOpen);
    this.#nodes.setPlace(node, before);
    const refers = before !== place && end - start >= MIN_REFERRED;
    if (refers) {
      this.#nodes.markElsewhere(node);
      writer.end = start;
      written.writeReference(writer, before);
    }
    written.noteChild(start, writer.end - 1, before);
    return refers;
  }

  #opened(
    value: object,
    kind: Kind,
    name: string,
    prototype: object | null,
    depth: number,
    node: Node,
  ): void {
    const inTurn = this.#inTurn;
    this.#inTurn = false;
    if (isArray(value)) captureArray(this, value, depth, node, inTurn);
    else if (kind === 'Error') captureError(this, value, name, depth, node);
    else if (kind !== 'object') captureCollection(this, value, kind, depth, node);
    else if (prototype === null || prototype === objectPrototype) capturePlain(this, value, depth, node);
    else this.#instance(value, name, prototype, depth, node);
  }

  #instance(value: object, name: string, prototype: object, depth: number, node: Node): void {
    const summary = findPreparedSummary(value, prototype);
    if (summary !== null) captureSummary(this, value, summary, name, depth, node);
    else if (name === 'Object') capturePlain(this, value, depth, node);
    else if (this.#inSelf && depth > 0 && hasMethods(prototype))
      captureDependency(this, value, name, depth, node);
    else captureInstance(this, value, name, depth, node);
  }

  #reference(node: Node): void {
    const { budget } = this;
    const { writer } = budget;
    const start = writer.end;
    const place = this.#nodes.placeOf(node);
    if (this.#nodes.isElsewhere(node)) this.written.writeReference(writer, place);
    else this.#nodes.writeReference(writer, node);
    if (budget.left < 0) {
      writer.end = start;
      budget.cut('reference', 'bytes');
    } else if (this.written.isClosed(place) && !this.#hiding)
      this.written.noteChild(start, writer.end - 1, place);
  }
}
