import type { RedactRules } from '../redact-rules.ts';
import type { CapturedValue } from '../values.ts';
import { encodeLastWords, mayMention, mayMentionText } from './names/mentions.ts';
import { SecretNames } from './names/names.ts';
import type { NameVerdict } from './names/verdicts.ts';
import { buildObject, type Fields } from './syntax/forms.ts';
import { isStoredName, setsUser } from './syntax/queries/redis-lists.ts';
import {
  awaitsValue,
  findSecretParameters,
  isStatement,
  type SecretParameters,
} from './syntax/queries/sql-parameters.ts';
import { judgeStatement, mentionsSecret, type StatementValues } from './syntax/queries/statement-secrets.ts';
import { REDACTED_TEXT } from './texts/characters.ts';
import { CleanTexts } from './texts/clean-texts.ts';
import { CUT_MARGIN, cutShown, takeStart } from './texts/cut-shown.ts';
import { noteSecret } from './texts/derived-texts.ts';
import type { HiddenTexts } from './texts/hidden-texts.ts';
import { redactJsonText } from './texts/json-texts.ts';
import { redactText } from './texts/text.ts';
import { readLabel } from './values/naming.ts';
import { advance, buildPathTree, ends, type Nodes, type PathNode } from './values/paths.ts';
import { NOWHERE, type Place } from './values/place.ts';
import type { KnownName } from './values/siblings.ts';
import { dependsOnNeighbours, findOwnership, isNameLike, readNaming } from './values/structure.ts';
import { mayListColumns } from './values/tables.ts';
import { ValueWalk } from './values/value-walk.ts';

/** Maximum number of cached names. A program has hundreds of names, and most requests use the same names. */
const MAX_CACHED = 5000;
const MAX_CACHED_LENGTH = 200;
/** Maximum number of cached SQL statements. Like names, statements repeat. */
const MAX_STATEMENTS = 500;
const MAX_STATEMENT = 4096;

/**
 * Redacts values by the built-in rules and a project's own rules. Reuse the instance, because it caches its verdicts on names. The built-in
 * rules hide values under names of secrets, card numbers (as strings or numbers), and the secrets within strings that {@link redactText}
 * finds. A hidden value becomes `{"$type":"redacted","of":type}`; in a longer string it becomes `‹redacted›`. Null, booleans, undefined,
 * functions and markers of uncaptured values stay.
 */
export class Redactor {
  readonly #names: SecretNames;
  readonly #lastWords: ReadonlySet<number>;
  readonly #paths: PathNode | undefined;
  readonly #known = new Map<string, KnownName>();
  readonly #statements = new Map<string, SecretParameters | null>();
  readonly #statementValues = new Map<string, StatementValues>();
  readonly #clean = new CleanTexts();
  readonly #walk: ValueWalk;
  #note: ((secret: string) => void) | undefined;
  #hidden: HiddenTexts | undefined;
  #found: Set<string> | undefined;

  constructor(rules: RedactRules = {}) {
    this.#names = new SecretNames(rules.keys);
    this.#lastWords = encodeLastWords(rules.keys ?? []);
    this.#paths = buildPathTree(rules.paths ?? []);
    this.#walk = new ValueWalk({
      known: (name) => this.known(name),
      text: (text, cut) => this.text(text, cut),
      note: (text) => this.#note?.(text),
      holdsSecret: (base64) => this.holdsSecret(base64),
      parameters: (statement) => this.secretParameters(statement),
    });
  }

  /** True if any rule has a path. Redaction then depends on where a value is. */
  get hasPaths(): boolean {
    return this.#paths !== undefined;
  }

  /** Returns what a name implies about its value. */
  judge(name: string): NameVerdict {
    return this.#names.judge(name);
  }

  /** True if a string is the name of a secret. */
  isSecretName(text: string): boolean {
    return isNameLike(text) && this.judge(text) !== 'plain';
  }

  /** True if a string is the name of a sibling value that is secret: `password`, or `/prod/db/password`. */
  namesSecret(text: string): boolean {
    const name = mayMentionText(text, this.#lastWords) ? readNaming(text) : undefined;
    return name !== undefined && this.#names.look(name).verdict !== 'plain';
  }

  /**
   * Like {@link namesSecret}, for an item of a list. The item can also be a key of Redis, such as `user:7:token`, or Redis's subcommand
   * `SETUSER`.
   */
  namesItem(text: string): boolean {
    return this.namesSecret(text) || isStoredName(text, (part) => this.namesSecret(part)) || setsUser(text);
  }

  /** Like {@link namesSecret}, for a string that is a label for people: `Your password:`. */
  labelsSecret(text: string): boolean {
    const name = mayMentionText(text, this.#lastWords) ? readLabel(text) : undefined;
    return name !== undefined && this.judge(name) !== 'plain';
  }

  /** Finds those parameters of an SQL statement whose values are secrets. Returns undefined if there are none. */
  secretParameters(statement: string): SecretParameters | undefined {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known ?? undefined;
    const found = findSecretParameters(statement, (name) => this.judge(name));
    const secret = found.indexes.size + found.names.size + found.columns.size > 0 ? found : null;
    if (statement.length > MAX_STATEMENT) return secret ?? undefined;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(statement, secret);
    return secret ?? undefined;
  }

  /** Judges which values of an SQL statement can be shown. See {@link judgeStatement}. */
  judgeStatement(statement: string): StatementValues {
    const known = this.#statementValues.get(statement);
    if (known !== undefined) return known;
    const found = judgeStatement(statement, this.#isSecretWord);
    if (statement.length > MAX_STATEMENT) return found;
    if (this.#statementValues.size >= MAX_STATEMENTS) this.#statementValues.clear();
    this.#statementValues.set(statement, found);
    return found;
  }

  readonly #isSecretWord = (name: string): boolean =>
    mayMentionText(name, this.#lastWords) && this.judge(name) !== 'plain';

  /** True if a word of a text, or several words in succession, are the name of a secret. */
  mentionsSecret(text: string): boolean {
    return mentionsSecret(text, this.#isSecretWord);
  }

  /** Like {@link mentionsSecret}, only for a project's own names. */
  mentionsOwnName(text: string): boolean {
    return this.#lastWords.size > 0 && mentionsSecret(text, (name) => this.judge(name) === 'own');
  }

  /**
   * Quick check of an ASCII text. False only if {@link mentionsSecret} returns false for the text. The byte at `end`, after the text, must
   * not be a letter.
   */
  mayMentionSecret(bytes: Uint8Array, start: number, end: number): boolean {
    return mayMention(bytes, start, end, this.#lastWords);
  }

  /**
   * True if a text is an SQL statement whose parameters can be secrets, or the first string of a tagged template that is such a statement.
   * The text's siblings contain the parameters, and then need redaction.
   */
  hasSecretParameters(text: string): boolean {
    return isStatement(text) && (awaitsValue(text) || this.secretParameters(text) !== undefined);
  }

  /** Returns what a name implies about its value, and how the name is shown, since names can contain secrets, too. */
  known(name: string): KnownName {
    const known = this.#known.get(name) ?? this.#learn(name);
    // Collects a secret in a name at every occurrence, even if the name is cached.
    if (this.#note !== undefined && known.shown !== name)
      redactText(name, this.#names, false, this.#note, (once) => this.#insideJson(once, this.#note));
    if (this.#hidden === undefined) return known;
    const shown = this.#hidden.hide(known.shown);
    return shown === known.shown ? known : { ...known, shown };
  }

  #learn(name: string): KnownName {
    const shown = redactText(name, this.#names, false, undefined, (once) =>
      this.#insideJson(once, undefined),
    );
    const made: KnownName = {
      // A second redaction sees only the shown name, and must reach the same verdict.
      verdict: this.#names.look(shown).verdict,
      shown,
      dependsOnNeighbours: dependsOnNeighbours(name),
      listsColumns: mayListColumns(name),
      ownership: findOwnership(name),
    };
    if (name.length > MAX_CACHED_LENGTH) return made;
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(name, made);
    return made;
  }

  /**
   * Redacts a value that must remain a string, such as an error's message or a URL. `cut` means that the string's end was cut off; then the
   * beginning of a card number at the end is hidden too. Hidden strings are added to `found`.
   */
  text(text: string, cut = false, found?: Set<string>): string {
    const shown = cut ? this.#cutText(text, found) : this.#wholeText(text, found);
    return this.#hidden === undefined ? shown : this.#hidden.hide(shown);
  }

  #wholeText(text: string, found: Set<string> | undefined): string {
    if (this.#clean.has(text)) return text;
    const note = this.#noteInto(found);
    const shown = redactText(text, this.#names, false, note, (once) => this.#insideJson(once, note));
    if (shown === text) this.#clean.add(text);
    return shown;
  }

  #insideJson(text: string, note: ((secret: string) => void) | undefined): string {
    return redactJsonText(text, (value) => this.#walk.value(value, NOWHERE), note);
  }

  #cutText(text: string, found: Set<string> | undefined): string {
    return redactText(text, this.#names, true, this.#noteInto(found));
  }

  #noteInto(found: Set<string> | undefined): ((secret: string) => void) | undefined {
    return found === undefined ? this.#note : (secret) => noteSecret(secret, found);
  }

  /**
   * Redacts the beginning of a text that can be too long. The result has at most `length` characters. Also reads characters after the cut,
   * because a secret that was cut in two is no longer recognized.
   */
  beginning(text: string, length: number, found?: Set<string>): string {
    if (text.length <= length) return this.text(text, false, found);
    const read = text.slice(0, length + CUT_MARGIN);
    const shown = cutShown(read, this.text(read, read.length < text.length, found), length);
    // A later redaction, such as that of the server, sees only the shown characters. Redacts these characters again here, so that the
    // later redaction hides nothing more.
    return takeStart(this.text(shown, true, found), length);
  }

  /** Like {@link text}, for a string at a path that rules can name. */
  textAt(text: string, at: readonly string[]): string {
    if (this.#paths !== undefined && ends(this.#reach(at).nodes)) return REDACTED_TEXT;
    return this.text(text);
  }

  readonly #noteFound = (secret: string): void => {
    if (this.#found !== undefined) noteSecret(secret, this.#found);
  };

  /**
   * Runs `redact` and returns its result. Adds the strings that were hidden during the run, and the forms derived from them, to `found`, for
   * {@link hideSecrets}. Leaves out strings that are too short or common ({@link noteSecret}) or identify the user.
   */
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
   * Like {@link fields}, for fields that identify a request's user. The user's id, names and email address stay readable, even if a hidden
   * value, such as a cookie, contains one of them. Exceptions: texts that contain a secret, and rules with paths.
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
   * Runs `redact` and returns its result. During the run, `secrets` are hidden wherever they occur. A password can be repeated under a
   * harmless name, such as the argument of `hash(text)`.
   */
  hideSecrets<T>(secrets: HiddenTexts, redact: () => T): T {
    this.#hidden = secrets;
    try {
      return redact();
    } finally {
      this.#hidden = undefined;
    }
  }

  /**
   * True during {@link hideSecrets}. The redaction of a cached value must not be reused then, because the value can contain one of the
   * secrets.
   */
  get hidesSecrets(): boolean {
    return this.#hidden !== undefined;
  }

  /** Redacts a value. Returns the same value if it contains no secret. `at` is the value's path, for rules with paths. */
  value(value: CapturedValue, at: readonly string[] = []): CapturedValue {
    const place = this.#reach(at);
    return ends(place.nodes) ? this.#walk.hide(value) : this.#walk.value(value, place);
  }

  /**
   * Like {@link value}, for an object whose keys are names, such as headers or a step's parameters. The object is never treated as a tagged
   * form, even if it has a `$type` key.
   */
  fields(fields: Fields, at: readonly string[] = []): Fields {
    const place = this.#reach(at);
    if (!ends(place.nodes)) return this.#walk.fields(fields, place);
    return buildObject(
      Object.entries(fields).map(([key, value]) => [this.known(key).shown, this.#walk.hide(value)]),
    );
  }

  /**
   * Like {@link fields}, for a subset of an object's fields. The remaining fields are redacted separately, but can still name values in the
   * subset.
   */
  fieldsBeside(fields: Fields, all: Fields, at: readonly string[]): Fields {
    const place = this.#reach(at);
    return ends(place.nodes) ? this.fields(fields, at) : this.#walk.fields(fields, place, undefined, all);
  }

  /** Returns the place of `at` in the tree of the rules' paths. Stops where a rule's path ends, because everything below is hidden. */
  #reach(at: readonly string[]): Place {
    let nodes: Nodes = this.#paths && [this.#paths];
    for (const segment of at) {
      if (nodes === undefined || ends(nodes)) break;
      nodes = advance(nodes, segment);
    }
    return { nodes, depth: 0, within: 'nothing' };
  }

  /**
   * True if base64 data, decoded as text, contains a secret. The data can be cut off at its end. A string that is not base64 is searched
   * without decoding. A value that is not a string counts as a secret.
   */
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
/** Strings that identify a request's user, by the set of secrets found in the request. */
const identities = new WeakMap<Set<string>, Set<string>>();

function noteIdentity(text: string, found: Set<string>): void {
  const texts = identities.get(found) ?? new Set();
  identities.set(found, texts.add(text));
}

const redactors = new WeakMap<RedactRules, Redactor>();
const builtIn: RedactRules = {};

/** Redacts a value with a {@link Redactor}, which is cached for the rules object. Reuse that object. */
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
