import type { NameVerdict, Redactor, RoleOfKey } from '@throughline/contract/redaction';
import type { CapturedNames } from '../capture/capture-names.ts';
import type { CaptureLimits } from '../capture/limits.ts';
import type { CleanTexts } from '../writer/clean-texts.ts';
import type { WrittenObjects } from '../writer/written-objects.ts';
import type { SnapshotBudget } from './budget.ts';
import type { Node } from './nodes.ts';
import type { Shorten } from './text.ts';

/** The snapshotter's members that functions such as `captureArray` use. Each of these functions writes a comma after the value. */
export interface ValueWalk {
  readonly limits: CaptureLimits;
  readonly budget: SnapshotBudget;
  readonly names: CapturedNames;
  /** Null if redaction is off. */
  readonly redactor: Redactor | null;
  /** Null if redaction is off. */
  readonly texts: CleanTexts | null;
  /** True if only the type of each value is shown. */
  readonly hidesAll: boolean;
  readonly shorten: Shorten;
  /** True if the host has not changed the prototypes of objects and arrays in a way that affects reading items and descriptors directly. */
  readonly ordinary: boolean;
  /** Writes the value at `key` of the container `parent`. `depth` is the depth below the captured value. */
  visit(value: unknown, depth: number, parent: Node, key: string | number): void;
  /** Writes the value of a property that belongs to an object at `depth`. Accessors are not called. */
  property(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void;
  /** Writes a property like {@link property}, but redacts it because of its name. */
  secret(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void;
  /** Writes a value like {@link visit}, but redacts it because of its name. */
  secretValue(value: unknown, depth: number, parent: Node, key: string | number): void;
  /** Writes Node's `rawHeaders` like {@link property}. In this list, names and values alternate. */
  rawHeaders(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string): void;
  /** The positions at which the trace's objects were written. */
  readonly written: WrittenObjects;
  /** Writes a placeholder for the stack of an error. */
  leavePlaceForStack(error: object): void;
  /**
   * The set to which captures add redacted strings. These strings must not appear in the rest of the trace, either. Undefined while a whole
   * value is redacted.
   */
  readonly noted: Set<string> | undefined;
  /** True if the value under this key of a Map must be redacted. */
  isSecret(key: unknown, value: unknown): boolean;
  /** True if the value must be redacted because of its name. */
  isHidden(verdict: NameVerdict, value: unknown): boolean;
  /**
   * Called after a property was written whose value can classify its siblings, such as a name beside a value. The redaction then checks the
   * whole value again when the trace is written.
   */
  noteRole(role: RoleOfKey, value: unknown): void;
  /**
   * Called after a string was written that can contain a secret. In two cases, the whole value is checked again. If the string was
   * rewritten, it can be a heading with a secret part, which names the cells below it. If the string is an SQL statement, its parameters
   * can be in a sibling.
   */
  noteText(text: string, isRewritten: boolean): void;
  /**
   * Called after an item of `rawHeaders` was written. If the item is a string within a redacted value, stores the string, so that it is
   * redacted in the rest of the trace, too.
   */
  noteHidden(text: unknown): void;
  /** Called after a string item of a list was written. The item can be the name of the next item, or part of a redacted value. */
  noteItem(item: string): void;
}
