import type { NameVerdict, Redactor, RoleOfKey } from '@throughline/contract/redaction';
import type { CapturedNames } from '../capture/capture-names.ts';
import type { CaptureLimits } from '../capture/limits.ts';
import type { CleanTexts } from '../writer/clean-texts.ts';
import type { WrittenObjects } from '../writer/written-objects.ts';
import type { SnapshotBudget } from './budget.ts';
import type { Node } from './nodes.ts';

/** The parts of the snapshotter that the functions for single kinds of values use. Each of these functions ends its output with a comma. */
export interface ValueWalk {
  readonly limits: CaptureLimits;
  readonly budget: SnapshotBudget;
  readonly names: CapturedNames;
  /** Null: redaction is off. */
  readonly redactor: Redactor | null;
  /** Null: redaction is off. */
  readonly texts: CleanTexts | null;
  /** True if every value is shown as its type only. */
  readonly hidesAll: boolean;
  /** True if the host has not changed the prototypes of objects and arrays. */
  readonly ordinary: boolean;
  /** Writes the value at `key` of `parent`, at `depth` below the captured value. */
  visit(value: unknown, depth: number, parent: Node, key: string | number): void;
  /** Writes a property's value, one level below `depth`. Accessors are not called. */
  property(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void;
  /** Like {@link property}, for a property that is redacted because of its name. */
  secret(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void;
  /** Like {@link visit}, for a value that is redacted because of its name. */
  secretValue(value: unknown, depth: number, parent: Node, key: string | number): void;
  /** Like {@link property}, for Node's `rawHeaders`, which alternates names and values. */
  rawHeaders(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string): void;
  /** The places at which the trace's objects were written. */
  readonly written: WrittenObjects;
  /** Writes a placeholder for the stack of an error. */
  leavePlaceForStack(error: object): void;
  /** Set of redacted strings, to which captures add. The rest of the trace must not show these strings either. */
  readonly noted: Set<string> | undefined;
  /** True if the value under this Map key is redacted. */
  isSecret(key: unknown, value: unknown): boolean;
  /** True if a value is redacted because of its name. */
  isHidden(verdict: NameVerdict, value: unknown): boolean;
  /**
   * Called after a property was written that can classify its sibling values. The whole value is then checked again when the trace is
   * written.
   */
  noteRole(role: RoleOfKey, value: unknown): void;
  /** Notes a string that can be a statement of SQL, whose parameters are beside it. */
  noteStatement(text: string): void;
  /** Stores a string that is part of a redacted value. */
  noteHidden(text: unknown): void;
  /** Called after a list's item was written. The item can be the name of the next item, or part of a redacted value. */
  noteItem(item: string): void;
}
