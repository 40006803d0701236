import type { NameVerdict, Redactor, RoleOfKey } from '@throughline/contract/redaction';
import type { CapturedNames } from '../capture/capture-names.ts';
import type { CaptureLimits } from '../capture/limits.ts';
import type { CleanTexts } from '../writer/clean-texts.ts';
import type { WrittenObjects } from '../writer/written-objects.ts';
import type { SnapshotBudget } from './budget.ts';
import type { Node } from './nodes.ts';

/** The parts of the walk that readers of single kinds use. Each reader ends its output with a comma. */
export interface ValueWalk {
  readonly limits: CaptureLimits;
  readonly budget: SnapshotBudget;
  readonly names: CapturedNames;
  /** Null: nothing is hidden here. */
  readonly redactor: Redactor | null;
  /** Null: nothing is hidden here. */
  readonly texts: CleanTexts | null;
  /** True if every value is shown as its type only. */
  readonly hidesAll: boolean;
  /** True if the host has not changed the prototypes of objects and arrays. */
  readonly ordinary: boolean;
  /** Writes one value, at `depth` below the captured one, standing at `key` of `parent`. */
  visit(value: unknown, depth: number, parent: Node, key: string | number): void;
  /** Writes a property's value, one level below `depth`; an accessor is not called. */
  property(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void;
  /** {@link property} for one that is hidden for its name. */
  secret(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string | number): void;
  /** {@link visit} for a value that is hidden for its name. */
  secretValue(value: unknown, depth: number, parent: Node, key: string | number): void;
  /** {@link property} for Node's `rawHeaders`: names and values in turn. */
  rawHeaders(descriptor: PropertyDescriptor, depth: number, parent: Node, key: string): void;
  /** Where the objects of the trace were written. */
  readonly written: WrittenObjects;
  /** Leaves a place for the stack of an error. */
  leavePlaceForStack(error: object): void;
  /** Where texts are added that are hidden: what else of the trace has them in it is not to show them either. */
  readonly noted: Set<string> | undefined;
  /** True if the value of this Map key is hidden. */
  isSecret(key: unknown, value: unknown): boolean;
  /** True if a value is hidden because of its name. */
  isHidden(verdict: NameVerdict, value: unknown): boolean;
  /** A member was written that may say something of those beside it: then the whole value is looked through again when the trace is written. */
  noteRole(role: RoleOfKey, value: unknown): void;
  /** Remembers a text that is a part of what is hidden. */
  noteHidden(text: unknown): void;
  /** A list's item was written: it may be the name of the next, or a part of what is hidden. */
  noteItem(item: string): void;
}
