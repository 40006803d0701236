import type { CapturedValue } from '../values.ts';
import { type NameVerdict, SecretNames } from './names/names.ts';
import { buildObject, type Fields } from './syntax/forms.ts';
import { CleanTexts } from './texts/clean-texts.ts';
import { noteSecret } from './texts/derived-texts.ts';
import type { HiddenTexts } from './texts/hidden-texts.ts';
import { REDACTED_TEXT, redactText } from './texts/text.ts';
import { advance, ends, type Nodes, type PathNode, pathTree } from './values/paths.ts';
import { dependsOnNeighbours, isNameLike } from './values/structure.ts';
import { type KnownName, type Place, ValueWalk } from './values/value-walk.ts';

/**
 * A project's own rules, on top of the built-in ones, which always hold. There are no regular expressions: nobody's rule can stall a server.
 */
export interface RedactRules {
  /** Names compared as the built-in ones are: `customerRef` also hides `customer_ref` and `oldCustomerRef`. */
  readonly keys?: readonly string[];
  /** Exact places, by names and positions joined with dots, `*` for any one: `request.body.items.*.note`, `variables.parameters.order.iban`. */
  readonly paths?: readonly string[];
}

/** Names repeat: a program has hundreds, a request the same ones over and over. */
const MAX_CACHED = 5000;
const MAX_CACHED_LENGTH = 200;

/**
 * The rules, ready for use; keep it, since it remembers the names that it met. The built-in rules: values of names that look like secrets,
 * card numbers (also as numbers), and in texts what {@link redactText} lists. A value taken out is `{"$type":"redacted","of":type}`; within a longer text
 * it is `‹redacted›`. What says nothing stays: null, booleans, undefined, functions, and markers of what was not captured.
 */
export class Redactor {
  readonly #names: SecretNames;
  readonly #paths: PathNode | undefined;
  readonly #known = new Map<string, KnownName>();
  readonly #clean = new CleanTexts();
  readonly #walk: ValueWalk;
  #note: ((secret: string) => void) | undefined;
  #hidden: HiddenTexts | undefined;
  #found: Set<string> | undefined;

  constructor(rules: RedactRules = {}) {
    this.#names = new SecretNames(rules.keys);
    this.#paths = pathTree(rules.paths ?? []);
    this.#walk = new ValueWalk({
      known: (name) => this.known(name),
      text: (text, cut) => this.text(text, cut),
      note: (text) => this.#note?.(text),
      holdsSecret: (base64) => this.holdsSecret(base64),
    });
  }

  /** True where redaction of a value depends on its place. */
  get hasPaths(): boolean {
    return this.#paths !== undefined;
  }

  /** Judges a name about its value. */
  judge(name: string): NameVerdict {
    return this.#names.judge(name);
  }

  /** Returns true where a text is the name of a secret. */
  isSecretName(text: string): boolean {
    return isNameLike(text) && this.judge(text) !== 'plain';
  }

  /** Judges a name, and returns how the name itself is shown: names can be secrets too. */
  known(name: string): KnownName {
    const known = this.#known.get(name) ?? this.#learn(name);
    // A secret hidden in a name is noted each time the name occurs.
    if (this.#note !== undefined && known.shown !== name) redactText(name, this.#names, false, this.#note);
    if (this.#hidden === undefined) return known;
    const shown = this.#hidden.hide(known.shown);
    return shown === known.shown ? known : { ...known, shown };
  }

  #learn(name: string): KnownName {
    const made: KnownName = {
      verdict: this.#names.judge(name),
      shown: redactText(name, this.#names),
      dependsOnNeighbours: dependsOnNeighbours(name),
    };
    if (name.length > MAX_CACHED_LENGTH) return made;
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(name, made);
    return made;
  }

  /**
   * A text that must stay one, such as an error's message or a URL. `cut` says that its end was cut off, where half a card number is one too. What is hidden of
   * it is added to `found`.
   */
  text(text: string, cut = false, found?: Set<string>): string {
    const shown = cut ? this.#cutText(text, found) : this.#wholeText(text, found);
    return this.#hidden === undefined ? shown : this.#hidden.hide(shown);
  }

  #wholeText(text: string, found: Set<string> | undefined): string {
    if (this.#clean.has(text)) return text;
    const shown = redactText(text, this.#names, false, this.#noteInto(found));
    if (shown === text) this.#clean.add(text);
    return shown;
  }

  #cutText(text: string, found: Set<string> | undefined): string {
    return redactText(text, this.#names, true, this.#noteInto(found));
  }

  #noteInto(found: Set<string> | undefined): ((secret: string) => void) | undefined {
    return found === undefined ? this.#note : (secret) => noteSecret(secret, found);
  }

  /** {@link text} for one at a place that rules can name. */
  textAt(text: string, at: readonly string[]): string {
    if (this.#paths !== undefined && ends(this.#reach(at).nodes)) return REDACTED_TEXT;
    return this.text(text);
  }

  readonly #noteFound = (secret: string): void => {
    if (this.#found !== undefined) noteSecret(secret, this.#found);
  };

  /** Runs `redact` and returns its result. Adds the texts that this redactor hid meanwhile, and their derived forms, to `found`: see {@link hideSecrets}. */
  collectSecrets<T>(found: Set<string>, redact: () => T): T {
    this.#note = this.#noteFound;
    this.#found = found;
    try {
      return redact();
    } finally {
      this.#note = undefined;
      this.#found = undefined;
      if (found.size > 0) for (const text of identities.get(found) ?? []) found.delete(text);
    }
  }

  /**
   * {@link fields} for those that tell who sent a request. Their id, name and address stay, and so do these texts elsewhere, even where something that is hidden
   * is equal to them or in them: a cookie that has the user's id, say.
   */
  identityFields(fields: Fields, at: readonly string[]): Fields {
    const hidden = this.#hidden;
    this.#hidden = undefined;
    const clean: [string, CapturedValue][] = [];
    for (const name of IDENTITY_NAMES) {
      const text = fields[name];
      if (typeof text !== 'string' || this.text(text) !== text) continue;
      if (this.#found !== undefined) noteIdentity(text, this.#found);
      clean.push([name, text]);
    }
    this.#hidden = hidden;
    const shown = this.fields(fields, at);
    return hidden === undefined || this.hasPaths ? shown : { ...shown, ...buildObject(clean) };
  }

  /**
   * Runs `redact` while this redactor also hides `secrets` in every place, and returns its result. A password has another name once it is the
   * argument of `hash(text)`.
   */
  hideSecrets<T>(secrets: HiddenTexts, redact: () => T): T {
    this.#hidden = secrets;
    try {
      return redact();
    } finally {
      this.#hidden = undefined;
    }
  }

  /** True during {@link hideSecrets}: then a text that was clean can hold one of its secrets. */
  get hidesSecrets(): boolean {
    return this.#hidden !== undefined;
  }

  /** The same value (the very same when nothing is secret) without secrets. `at` is where it stands, for rules with paths. */
  value(value: CapturedValue, at: readonly string[] = []): CapturedValue {
    const place = this.#reach(at);
    return ends(place.nodes) ? this.#walk.hide(value) : this.#walk.value(value, place);
  }

  /** {@link value} for an object whose keys are names, such as headers or a step's parameters, even one named `$type`: it stays one. */
  fields(fields: Fields, at: readonly string[] = []): Fields {
    const place = this.#reach(at);
    if (!ends(place.nodes)) return this.#walk.fields(fields, place);
    return buildObject(
      Object.entries(fields).map(([key, value]) => [this.known(key).shown, this.#walk.hide(value)]),
    );
  }

  /** {@link fields} for some of an object's fields; the others, which are redacted in a way of their own, may say what these are. */
  fieldsBeside(fields: Fields, all: Fields, at: readonly string[]): Fields {
    const place = this.#reach(at);
    return ends(place.nodes) ? this.fields(fields, at) : this.#walk.fields(fields, place, undefined, all);
  }

  /** The paths that go on from `at`, or the first that ended on the way there. */
  #reach(at: readonly string[]): Place {
    let nodes: Nodes = this.#paths && [this.#paths];
    for (const segment of at) {
      if (nodes === undefined || ends(nodes)) break;
      nodes = advance(nodes, segment);
    }
    return { nodes, depth: 0, within: 'nothing' };
  }

  /** Returns true where the first bytes of binary data, read as text, hold a secret. */
  holdsSecret(base64: unknown, found?: Set<string>): boolean {
    if (typeof base64 !== 'string') return true;
    try {
      const text = atob(base64);
      return this.text(text, true, found) !== text;
    } catch {
      return this.text(base64, false, found) !== base64;
    }
  }
}

const IDENTITY_NAMES: ReadonlySet<string> = new Set(['id', 'email', 'name', 'username']);
/** Texts that tell who sent a request, by the set of the secrets that were found in it. */
const identities = new WeakMap<Set<string>, Set<string>>();

function noteIdentity(text: string, found: Set<string>): void {
  const texts = identities.get(found) ?? new Set();
  identities.set(found, texts.add(text));
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
