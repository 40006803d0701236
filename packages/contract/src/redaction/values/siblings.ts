import { type CapturedValue, isTagged } from '../../values.ts';
import { isCounted, type NameVerdict, withoutIds } from '../names/verdicts.ts';
import { type Fields, isCount, isList, isRedacted } from '../syntax/forms.ts';
import { isStoredName } from '../syntax/queries/redis-lists.ts';
import { isStatement, type SecretParameters } from '../syntax/queries/sql-parameters.ts';
import { REDACTED_TEXT } from '../texts/characters.ts';
import { isRuleWord } from './lists.ts';
import { findNamingRole, mayBeNamed, type NamingRole, readLabel, type ValueRole } from './naming.ts';
import { hideInFields, hideInList, readStatement } from './parameters.ts';
import type { Within } from './place.ts';
import { CHANGED, isNamedWord, isNameLike, isPair, type Ownership, readNaming } from './structure.ts';
import { hideBelowHeader, hideColumns } from './tables.ts';

/** Verdict on the value of a member with this name, and the name as it is shown. */
export interface KnownName {
  readonly verdict: NameVerdict;
  readonly shown: string;
  readonly dependsOnNeighbours: boolean;
  /** The members of the value that can be secrets because of this name: `{mfa: {code: '482913'}}`. */
  readonly ownership: Ownership;
  /** True if the member's value can be a list of column names for rows in a sibling. */
  readonly listsColumns: boolean;
}

/** Redaction rules for single names and strings. */
export interface LeafRules {
  known(name: string): KnownName;
  text(text: string, cut: boolean): string;
  /** Records a string that is hidden because of its name. */
  note(text: string): void;
  holdsSecret(base64: unknown): boolean;
  /** Finds those parameters of an SQL statement whose values are secrets. */
  parameters(statement: string): SecretParameters | undefined;
}

/**
 * True if a part of the text is a secret. The whole text is then hidden: a second redaction, which no longer sees this part, could take the
 * rest for the secret.
 */
export function holdsSecret(text: string, rules: LeafRules): boolean {
  return text.includes(REDACTED_TEXT) || rules.text(text, false) !== text;
}

/**
 * Bits that say what a member reveals about its siblings. `TELLS_COLUMNS`: the member can list column names, and a sibling contains the
 * rows. `TELLS_PARAMETERS`: the member contains a statement, and a sibling contains the parameters.
 */
const TELLS_COLUMNS = 1;
const TELLS_PARAMETERS = 2;
/** Maximum number of arguments before a statement and its parameters, such as a connection and a name. */
const MAX_BEFORE_PARAMETERS = 4;
const HELD = new Set(['string', 'bigint', 'Buffer']);

/** Returns bits for what a member reveals about its siblings; 0 for nothing. */
export function findTelling(known: KnownName, value: CapturedValue): number {
  if (typeof value === 'string') return isStatement(value) ? TELLS_PARAMETERS : 0;
  if (typeof value !== 'object' || value === null) return 0;
  const columns = known.listsColumns ? TELLS_COLUMNS : 0;
  return readStatement(value) === undefined ? columns : columns | TELLS_PARAMETERS;
}

/** Returns the name in a member: the member's value, or the last name of a path: `{path: ['user', 'password'], received: 'X'}`. */
function findLastName(value: CapturedValue | undefined): CapturedValue | undefined {
  return value !== undefined && isList(value) && value.length <= MAX_PATH
    ? value.findLast((part) => typeof part === 'string' || isRedacted(part))
    : value;
}

const MAX_PATH = 20;

/** Redacts values that are secret because of their siblings: names, columns of a table, a statement with parameters. */
export class SiblingRules {
  readonly #rules: LeafRules;
  readonly #hide: (value: CapturedValue) => CapturedValue;

  constructor(rules: LeafRules, hide: (value: CapturedValue) => CapturedValue) {
    this.#rules = rules;
    this.#hide = hide;
  }

  /** Redacts a value if its siblings name the value. Returns undefined if the siblings do not name a secret. */
  named(
    key: string,
    role: ValueRole,
    value: CapturedValue,
    beside: Fields,
    hideBy: (verdict: NameVerdict) => CapturedValue,
  ): CapturedValue | undefined {
    for (const other of Object.keys(beside)) {
      const naming = other === key ? undefined : findNamingRole(other);
      const text = naming && findLastName(beside[other]);
      if (naming === undefined || typeof text !== 'string') continue;
      const verdict = this.#judgeNaming(text, naming);
      if (verdict === 'plain' || (verdict !== 'secret' && CHANGED.has(key))) continue;
      if (naming === 'name' && role === 'value') return hideBy(verdict);
      if (verdict === 'id' || (isCounted(verdict) && isCount(value))) continue;
      const shown = this.#hideNamed(value, naming, role);
      if (shown !== value) return shown;
    }
    return undefined;
  }

  #judgeNaming(text: string, naming: NamingRole): NameVerdict {
    const name = naming === 'name' ? readNaming(text) : readLabel(text);
    return name === undefined ? 'plain' : this.#rules.known(name).verdict;
  }

  /** Hides a string, a number, or the strings of a list, but not texts about the name. */
  #hideNamed(value: CapturedValue, naming: NamingRole, role: ValueRole): CapturedValue {
    if (typeof value === 'string')
      return mayBeNamed(value, naming, role) || holdsSecret(value, this.#rules) ? this.#hide(value) : value;
    if (typeof value === 'number') return naming === 'loose' ? value : this.#hide(value);
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) {
      const shown = value.map((item) =>
        typeof item === 'string' ? this.#hideNamed(item, naming, role) : item,
      );
      return shown.every((item, index) => item === value[index]) ? value : shown;
    }
    return isTagged(value) && HELD.has(value.$type) ? this.#hide(value) : value;
  }

  /** True if a string names the item after it: `password`, or a key of Redis such as `refresh_token:7`. */
  namesNext(text: string): boolean {
    if (isNameLike(text)) return this.#isName(text);
    return isStoredName(text, (part) => this.#isName(part));
  }

  /**
   * True if the pair is a name and its value. An earlier redaction can have hidden the name. False if the first item is a string but not a
   * name, or if the second is a validator's rule: `['password', 'minlength']`.
   */
  isNamedPair([name, value]: readonly [CapturedValue, CapturedValue]): boolean {
    if (typeof name !== 'string') return true;
    const { shown, verdict } = this.#rules.known(name);
    // Judges the name as a second redaction sees it, with a letter in place of each hidden part.
    return (
      isNameLike(shown.replaceAll(REDACTED_TEXT, 'x')) &&
      (typeof value !== 'string' || !isRuleWord(value) || verdict === 'own')
    );
  }

  /**
   * Returns the surroundings of the keys in a list of pairs. Among credentials, a key can itself be a credential. If the first key contains
   * a secret, all keys are treated as credentials.
   */
  withinOfKeys([first]: readonly CapturedValue[], within: Within): Within {
    if (within !== 'credentials' || first === undefined || !isPair(first)) return 'nothing';
    const [key] = first;
    const isSecret = typeof key === 'string' ? holdsSecret(key, this.#rules) : isRedacted(key);
    return isSecret ? within : 'nothing';
  }

  /** True if a string is the name of a secret. False if the string itself contains a secret, as `Bearer X` does. */
  #isName(text: string): boolean {
    const { verdict, shown } = this.#rules.known(text);
    return withoutIds(verdict) !== 'plain' && shown === text;
  }

  /** Hides values that another member reveals to be secret: cells below the names of columns, and parameters of a statement. */
  besideTelling(shown: Fields, fields: Fields, tells: number): Fields {
    let result = shown;
    if ((tells & TELLS_COLUMNS) !== 0) result = hideColumns(result, fields, this.#judge, this.#hide);
    if ((tells & TELLS_PARAMETERS) === 0) return result;
    for (const key of Object.keys(fields)) {
      const statement = readStatement(fields[key] ?? null);
      const found = statement === undefined ? undefined : this.#rules.parameters(statement);
      if (found !== undefined) result = hideInFields(result, key, found, this.#hide);
    }
    return result;
  }

  besideItems(shown: readonly CapturedValue[], list: readonly CapturedValue[]): readonly CapturedValue[] {
    let result = hideBelowHeader(shown, list, this.#judge, this.#hide, (text) =>
      this.#rules.text(text, false),
    );
    const [name, word] = list;
    const isNamed = typeof name === 'string' && this.#judge(name) !== 'plain' && isNamedWord(list);
    if (word !== undefined && isNamed) result = [shown[0] ?? null, this.#hide(word)];
    for (let at = 0; at < list.length - 1 && at < MAX_BEFORE_PARAMETERS; at++) {
      const statement = readStatement(list[at] ?? null);
      // In a list, `auth` is more often the name of a module than the command of Redis.
      const found =
        statement === undefined || statement === 'auth' ? undefined : this.#rules.parameters(statement);
      if (found !== undefined) result = hideInList(result, at, found, this.#hide);
    }
    return result;
  }

  readonly #judge = (name: string): NameVerdict => withoutIds(this.#rules.known(name).verdict);
}
