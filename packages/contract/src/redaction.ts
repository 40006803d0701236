import { isCardNumber } from './redaction-cards.ts';
import { SecretNames } from './redaction-keys.ts';
import { advance, type PathNode, pathTree } from './redaction-paths.ts';
import { hideTexts, noteSecret } from './redaction-secrets.ts';
import { REDACTED_TEXT, redactText } from './redaction-text.ts';
import { type CapturedValue, isTagged, type TaggedValue } from './values.ts';

export { characterSigns, DIGIT_SIGN, FREE_SIGN, mayHoldSecret } from './redaction-signs.ts';
export { isCardNumber, noteSecret, REDACTED_TEXT };

/**
 * A project's own rules, on top of the built-in ones, which always hold. There are no regular expressions: nobody's rule can stall a server.
 */
export interface RedactRules {
  /** Names compared as the built-in ones are: `customerRef` also hides `customer_ref` and `oldCustomerRef`. */
  readonly keys?: readonly string[];
  /** Exact places, by names and positions joined with dots, `*` for any one: `request.body.items.*.note`, `variables.parameters.order.iban`. */
  readonly paths?: readonly string[];
}

type Fields = { readonly [key: string]: CapturedValue };
type Nodes = readonly PathNode[] | undefined;

/** What lies deeper cannot have been captured; it comes from a sender that means harm and is not looked into. */
const MAX_DEPTH = 500;

/**
 * The rules, ready for use; keep it, since it remembers the names that it met. The built-in rules: values of names that look like secrets,
 * card numbers (also as numbers), and in texts what {@link redactText} lists. A value taken out is `{"$type":"redacted","of":type}`; within a longer text
 * it is `‹redacted›`. What says nothing stays: null, booleans, undefined, functions, and markers of what was not captured.
 */
export class Redactor {
  readonly #names: SecretNames;
  readonly #paths: PathNode | undefined;
  #found: Set<string> | undefined;
  #secrets: readonly string[] = [];

  constructor(rules: RedactRules = {}) {
    this.#names = new SecretNames(rules.keys);
    this.#paths = pathTree(rules.paths ?? []);
  }

  /** Whether what becomes of a value depends on where it stands. */
  get hasPaths(): boolean {
    return this.#paths !== undefined;
  }

  isSecretName(name: string): boolean {
    return this.#names.has(name);
  }

  /** A text that must stay one, such as an error's message or a URL. `cut` says that its end was cut off, where half a card number is one too. */
  text(text: string, cut = false): string {
    return this.#text(text, cut);
  }

  /** What `redact` returns; the texts that this redactor hid meanwhile because of their names are added to `found`: see {@link hideSecrets}. */
  collectSecrets<T>(found: Set<string>, redact: () => T): T {
    this.#found = found;
    try {
      return redact();
    } finally {
      this.#found = undefined;
    }
  }

  /**
   * What `redact` returns when this redactor also hides `secrets`, wherever they stand. A password is not called that any more once it is the argument of `hash(text)`.
   */
  hideSecrets<T>(secrets: readonly string[], redact: () => T): T {
    this.#secrets = secrets;
    try {
      return redact();
    } finally {
      this.#secrets = [];
    }
  }

  /** The same value (the very same when nothing is secret) without secrets. `at` is where it stands, for rules with paths. */
  value(value: CapturedValue, at: readonly string[] = []): CapturedValue {
    const nodes = this.#reach(at);
    return ends(nodes) ? hide(value) : this.#value(value, nodes, 0);
  }

  /** {@link value} for an object whose keys are names, such as headers or a step's parameters, even one named `$type`: it stays one. */
  fields(fields: Fields, at: readonly string[] = []): Fields {
    const nodes = this.#reach(at);
    if (!ends(nodes)) return this.#fields(fields, nodes, 0);
    return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, hide(value)]));
  }

  /** The paths that go on from `at`, or the first that ended on the way there. */
  #reach(at: readonly string[]): Nodes {
    let nodes: Nodes = this.#paths && [this.#paths];
    for (const segment of at) {
      if (nodes === undefined || ends(nodes)) return nodes;
      nodes = advance(nodes, segment);
    }
    return nodes;
  }

  #value(value: CapturedValue, nodes: Nodes, depth: number): CapturedValue {
    if (typeof value === 'string') return this.#string(value, false) ?? value;
    if (typeof value === 'number') {
      return value >= 2e12 && isCardNumber(`${value}`) ? { $type: 'redacted', of: 'number' } : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return { $type: 'cut', of: typeOf(value), reason: 'depth' };
    if (isList(value)) return this.#list(value, nodes, depth);
    const digits = exactNumber(value);
    if (digits !== undefined) return isCardNumber(digits) ? { $type: 'redacted', of: 'number' } : value;
    return isTagged(value) ? this.#tagged(value, nodes, depth) : this.#fields(value, nodes, depth);
  }

  /** The redacted form of a string; undefined when it may stay. */
  #string(text: string, cut: boolean): CapturedValue | undefined {
    const shown = this.#text(text, cut);
    if (shown === text) return undefined;
    return shown === REDACTED_TEXT ? { $type: 'redacted', of: 'string' } : shown;
  }

  #text(text: string, cut: boolean): string {
    const shown = redactText(text, this.#names, cut);
    return this.#secrets.length === 0 ? shown : hideTexts(shown, this.#secrets);
  }

  /** What stands in something, at a place or under a name that may be a secret's. */
  #member(value: CapturedValue, secret: boolean, nodes: Nodes, depth: number): CapturedValue {
    if (secret || ends(nodes)) {
      if (this.#found !== undefined && typeof value === 'string') noteSecret(value, this.#found);
      return hide(value);
    }
    return this.#value(value, nodes, depth + 1);
  }

  #list(list: readonly CapturedValue[], nodes: Nodes, depth: number): readonly CapturedValue[] {
    let changed: CapturedValue[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      if (item === undefined) continue;
      const shown = this.#member(item, false, nodes && advance(nodes, `${index}`), depth);
      if (shown === item) continue;
      changed ??= [...list];
      changed[index] = shown;
    }
    return changed ?? list;
  }

  #fields(fields: Fields, nodes: Nodes, depth: number): Fields {
    let changed: { [key: string]: CapturedValue } | undefined;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (value === undefined) continue;
      const secret = this.#names.has(key);
      const shown = isRawHeaders(key, value)
        ? this.#rawHeaders(value, depth)
        : this.#member(value, secret, nodes && advance(nodes, key), depth);
      if (shown === value) continue;
      changed ??= { ...fields };
      define(changed, key, shown);
    }
    return changed ?? fields;
  }

  /** Node's `rawHeaders`: names and values in turn. */
  #rawHeaders(list: readonly CapturedValue[], depth: number): readonly CapturedValue[] {
    const shown = list.map((item, index) => {
      const name = index % 2 === 1 ? list[index - 1] : undefined;
      return this.#member(item, typeof name === 'string' && this.#names.has(name), undefined, depth);
    });
    return shown.every((item, index) => item === list[index]) ? list : shown;
  }

  /** Field by field, whatever a sender has made of the form. */
  #tagged(tagged: TaggedValue, nodes: Nodes, depth: number): CapturedValue {
    if (SAY_NOTHING.has(tagged.$type)) return tagged;
    if (tagged.$type === 'Buffer') return this.holdsSecret(tagged.base64) ? hide(tagged) : tagged;
    const form: Fields = tagged;
    let changed: { [key: string]: CapturedValue } | undefined;
    for (const key of Object.keys(form)) {
      const part = form[key];
      if (part === undefined || NOT_CAPTURED.has(key)) continue;
      const shown = this.#part(tagged, key, part, nodes, depth);
      if (shown === part) continue;
      if (shown === REDACTED_TEXT && key === 'value') return hide(tagged);
      changed ??= { ...form };
      define(changed, key, shown);
    }
    return changed ?? tagged;
  }

  #part(tagged: TaggedValue, key: string, part: CapturedValue, nodes: Nodes, depth: number): CapturedValue {
    // An error's cause may be any value; the other parts that are no objects are texts, or say how large something is.
    if (key === 'cause') return this.#member(part, false, nodes && advance(nodes, key), depth);
    if (typeof part === 'string') return this.#text(part, tagged.$type === 'string');
    if (typeof part !== 'object' || part === null) return part;
    if (isList(part)) {
      return key === 'entries' ? this.#entries(part, nodes, depth) : this.#list(part, nodes, depth);
    }
    return key === 'properties'
      ? this.#fields(part, nodes, depth + 1)
      : this.#member(part, false, nodes && advance(nodes, key), depth);
  }

  /** A Map's entries: keys that are strings are names. */
  #entries(entries: readonly CapturedValue[], nodes: Nodes, depth: number): readonly CapturedValue[] {
    const shown = entries.map((entry, index) => {
      if (!isList(entry) || entry.length !== 2) return this.#value(entry, undefined, depth + 1);
      const [key = null, value = null] = entry;
      const name = typeof key === 'string' ? key : undefined;
      const shownKey = this.#value(key, undefined, depth + 1);
      const secret = name !== undefined && this.#names.has(name);
      const shownValue = this.#member(value, secret, nodes && advance(nodes, name ?? `${index}`), depth);
      return shownKey === key && shownValue === value ? entry : [shownKey, shownValue];
    });
    return shown.every((entry, index) => entry === entries[index]) ? entries : shown;
  }

  /** Whether the first bytes of binary data, read as text, hold a secret. */
  holdsSecret(base64: unknown): boolean {
    if (typeof base64 !== 'string') return true;
    try {
      const text = atob(base64);
      return redactText(text, this.#names, true) !== text;
    } catch {
      return this.text(base64) !== base64;
    }
  }
}

const redactors = new WeakMap<RedactRules, Redactor>();
const builtIn: RedactRules = {};

/** The value without secrets: see {@link Redactor}, of which one is kept for each object of rules (so keep that object). */
export function redactValue(
  value: CapturedValue,
  rules: RedactRules = builtIn,
  at: readonly string[] = [],
): CapturedValue {
  let redactor = redactors.get(rules);
  if (redactor === undefined) {
    redactor = new Redactor(rules);
    redactors.set(rules, redactor);
  }
  return redactor.value(value, at);
}

/** ES2026; TypeScript's libraries do not have it yet, nor does Node 20. */
const { isRawJSON } = JSON as typeof JSON & { isRawJSON?(value: unknown): boolean };

/** The digits of a number that was read with `JSON.rawJSON`, since no double holds it. */
function exactNumber(value: Fields): string | undefined {
  if (!('rawJSON' in value) || isRawJSON?.(value) !== true) return undefined;
  return String(value.rawJSON);
}

/** Parts of forms that say what a value is, not what was in it. */
const NOT_CAPTURED = new Set(['$type', 'class', 'of', 'name', 'flags', 'reason', 'path']);
/** Forms that say nothing of the value's contents: they stay, whatever the name that they stand under. */
export const SAY_NOTHING: ReadonlySet<string> = new Set([
  'undefined',
  'number',
  'function',
  'hole',
  'accessor',
  'proxy',
  'cut',
  'reference',
  'redacted',
]);

function hide(value: CapturedValue): CapturedValue {
  if (value === null || typeof value === 'boolean') return value;
  if (isTagged(value) && SAY_NOTHING.has(value.$type)) return value;
  return { $type: 'redacted', of: typeOf(value) };
}

function typeOf(value: CapturedValue): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  if (isList(value)) return 'array';
  if (!isTagged(value)) return 'object';
  const named = 'class' in value && typeof value.class === 'string' ? value.class : value.$type;
  return named.slice(0, 100);
}

function ends(nodes: Nodes): boolean {
  return nodes?.some((node) => node.ends) ?? false;
}

function isList(value: CapturedValue): value is readonly CapturedValue[] {
  return Array.isArray(value);
}

function isRawHeaders(key: string, value: CapturedValue): value is readonly CapturedValue[] {
  return (key === 'rawHeaders' || key === 'rawTrailers') && isList(value);
}

/** A plain assignment to `__proto__` would be lost. */
function define(fields: { [key: string]: CapturedValue }, key: string, value: CapturedValue): void {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}
