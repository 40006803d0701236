import type { NameVerdict } from '../../names/verdicts.ts';
import { findSecretVariables, isOperation } from './graphql.ts';

/** Parameters of an SQL statement whose values are secrets: by position, counted from 0, and by name. */
export interface SecretParameters {
  readonly indexes: ReadonlySet<number>;
  readonly names: ReadonlySet<string>;
  /** Secret columns of each parameter that contains whole rows, by the parameter's index: `INSERT INTO t (a, token) VALUES ?`. */
  readonly columns: ReadonlyMap<number, ReadonlySet<number>>;
  /** Number of positional parameters in the statement. */
  readonly count: number;
}

const MIN_LENGTH = 12;
/** Maximum length of an examined statement. Longer statements are not examined. */
const MAX_LENGTH = 65_536;
const BEGINNING =
  /^[\s(]{0,64}(?:(?:--[^\n]{0,200}\n|\/\*[^*]{0,200}\*\/)\s{0,64}){0,4}(?:explain\s{1,8}(?:analyze\s{1,8})?|begin;\s{0,8})?(?:insert|update|select|delete|replace|upsert|merge|with|call|exec(?:ute)?|alter|create|set|grant|values|prepare|do|match)\b/i;

/** The command of Redis whose arguments are a user and a password. */
const LOGIN_COMMANDS = new Set(['AUTH', 'auth']);
/** True for the command of Redis that logs in. */
export function isLoginCommand(text: string): boolean {
  return LOGIN_COMMANDS.has(text);
}
const NO_PARAMETERS: SecretParameters = {
  indexes: new Set(),
  names: new Set(),
  columns: new Map(),
  count: 0,
};
const OF_LOGIN: SecretParameters = { ...NO_PARAMETERS, indexes: new Set([0, 1]), names: new Set(['1', '2']) };

/** True if a text begins like a statement of SQL or an operation of GraphQL, or is a command that logs in. */
export function isStatement(text: string): boolean {
  if (text.length === 4) return isLoginCommand(text);
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH || !mayBegin(text)) return false;
  return BEGINNING.test(text.slice(0, 1200)) || isOperation(text);
}

/** Table of the first two characters of SQL statements. Most texts begin otherwise. */
const PAIRS = new Uint8Array(1 << 14);
for (const pair of [
  'in',
  'up',
  'se',
  'de',
  're',
  'me',
  'wi',
  'ca',
  'ex',
  'al',
  'cr',
  'gr',
  'va',
  'pr',
  'do',
  'ma',
  'be',
  'mu',
  'qu',
  '--',
  '/*',
  '( ',
  '(s',
])
  PAIRS[mixHashes(pair.charCodeAt(0), pair.charCodeAt(1))] = 1;

function mixHashes(first: number, second: number): number {
  return (((first | 0x20) & 0x7f) << 7) | ((second | 0x20) & 0x7f);
}

function mayBegin(text: string): boolean {
  const first = text.charCodeAt(0);
  return first <= 0x20 || PAIRS[mixHashes(first, text.charCodeAt(1))] === 1;
}

/** Strings are skipped; a placeholder is `?`, `?1`, `$1`, `$name`, `:name`, `@name`, `%s` or `%(name)s`; `::` is a cast. */
const TOKEN =
  /'(?:[^']|'')*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|::\s?\w+(?:\(\d*\))?|(?<placeholder>\?\d{0,5}|\$\w{1,64}|[:@#]\{?\w{1,64}\}?|%s|%\(\w{1,64}\)s)|(?<name>[\p{L}_][\p{L}\p{N}_$]*|"[^"\n]{1,128}"|`[^`\n]{1,128}`|\[[\p{L}_][^\]\n]{0,128}\])|(?<sign><=>|[<>!=:|~]+|[(),;.*])|\S/gu;

/** Words that end the expression before them. */
const ENDS = new Set(
  `and or where from set values returning on order group limit offset having join union select into then else end when case as do using default conflict with
  by update delete insert not`.split(/\s+/),
);
const COMPARES = new Set([
  'like',
  'ilike',
  'in',
  'is',
  'to',
  'any',
  'similar',
  'rlike',
  'regexp',
  'contains',
]);
/** A name or a sign at the end of a text. */
const AT_END = /([A-Za-z]{1,12}|[=<>!~(,|+])\s{0,64}$/;
const MAX_END = 80;

/**
 * True if a statement ends where a value must follow, as the first string of a tagged template does. The other strings of the template then
 * decide which of the template's values are secrets.
 */
export function awaitsValue(statement: string): boolean {
  const last = AT_END.exec(statement.slice(-MAX_END))?.[1]?.toLowerCase();
  return last !== undefined && (!/^[a-z]/.test(last) || ENDS.has(last) || COMPARES.has(last));
}

/** Functions whose arguments are secrets. */
const HASHES = new Set(
  `crypt password old_password pgp_sym_encrypt pgp_sym_decrypt aes_encrypt aes_decrypt hmac encode_password hash_password verify_password check_password
  set_password change_password update_password encryptbypassphrase decryptbypassphrase`.split(/\s+/),
);

/** Finds the parameters of an SQL statement whose values are compared with, or stored in, a column with a secret's name. */
export function findSecretParameters(text: string, judge: (name: string) => NameVerdict): SecretParameters {
  if (text.length < MIN_LENGTH) return OF_LOGIN;
  if (isOperation(text)) return { ...NO_PARAMETERS, names: findSecretVariables(text, judge) };
  return new StatementReader(judge).read(text);
}

interface Target {
  readonly depth: number;
  readonly isSecret: boolean;
}

class StatementReader {
  readonly #judge: (name: string) => NameVerdict;
  readonly #indexes = new Set<number>();
  readonly #names = new Set<string>();
  readonly #rows = new Map<number, ReadonlySet<number>>();
  #count = 0;
  #depth = 0;
  #target: Target | undefined;
  /** The last name, as long as the next token can refer to this name; otherwise empty. */
  #last = '';
  /** The last placeholder, as long as its name can still follow: `$1 = token`, `? AS token`. */
  #waiting: string | number | undefined;
  #secretDepth = -1;
  /**
   * `#columns`: for each column of an INSERT, true if the column's name is a secret's. `#column`: index of the column whose name or
   * expression is being read.
   */
  #columns: boolean[] | undefined;
  #column = 0;
  #reads: 'nothing' | 'table' | 'columns' | 'columns end' | 'expressions' = 'nothing';
  #base = 0;

  constructor(judge: (name: string) => NameVerdict) {
    this.#judge = judge;
  }

  read(text: string): SecretParameters {
    for (const { 0: token, groups } of text.matchAll(TOKEN)) {
      if (groups?.placeholder !== undefined) this.#placeholder(token);
      else if (groups?.name !== undefined) this.#name(token);
      else if (groups?.sign !== undefined) this.#sign(token);
    }
    return { indexes: this.#indexes, names: this.#names, columns: this.#rows, count: this.#count };
  }

  #isSecret(name: string): boolean {
    return this.#judge(name) !== 'plain';
  }

  #placeholder(token: string): void {
    const digits = /^[?$@:]\{?(\d{1,5})\}?$/.exec(token)?.[1];
    const name =
      digits === undefined && token !== '?' && token !== '%s'
        ? token.replace(/\W/g, '').replace(/s$/, token.startsWith('%') ? '' : 's')
        : undefined;
    const id = name ?? (digits === undefined ? this.#count : Number(digits) - 1);
    if (typeof id === 'number')
      this.#count = digits === undefined ? this.#count + 1 : Math.max(this.#count, id + 1);
    const isInserted = this.#reads === 'expressions' && this.#columns?.[this.#column] === true;
    const isDirect = this.#last !== '' && this.#target === undefined && this.#isSecret(this.#last);
    if (
      isInserted ||
      isDirect ||
      this.#target?.isSecret === true ||
      this.#secretDepth >= 0 ||
      (name !== undefined && this.#isSecret(name))
    )
      this.#add(id);
    if (this.#reads === 'expressions' && this.#depth < this.#base && typeof id === 'number')
      this.#rows.set(
        id,
        new Set((this.#columns ?? []).flatMap((isSecret, index) => (isSecret ? [index] : []))),
      );
    this.#waiting = id;
    this.#last = '';
  }

  #add(id: string | number): void {
    if (typeof id === 'number') {
      this.#indexes.add(id);
      this.#names.add(`${id + 1}`);
    } else this.#names.add(id);
  }

  #name(token: string): void {
    const name = token.replace(/^["`[]|["`\]]$/g, '');
    const lower = token.toLowerCase();
    if (this.#reads === 'columns' && this.#columns !== undefined) {
      if (this.#depth === this.#base) this.#columns[this.#column] = this.#isSecret(name);
      return;
    }
    if (lower === 'into') this.#reads = 'table';
    else if (
      this.#reads === 'columns end' &&
      (lower === 'select' || lower === 'values' || lower === 'value')
    ) {
      this.#reads = 'expressions';
      this.#column = 0;
      this.#base = lower === 'select' ? this.#depth : this.#depth + 1;
    } else if (this.#reads === 'expressions' && this.#depth < this.#base + (lower === 'from' ? 1 : 0))
      this.#reads = 'nothing';
    if (COMPARES.has(lower)) this.#compare();
    else if (lower === 'as') this.#last = '';
    else if (ENDS.has(lower)) {
      if (this.#target !== undefined && this.#target.depth >= this.#depth) this.#target = undefined;
      this.#waiting = undefined;
      this.#last = lower === 'by' ? this.#last : '';
    } else {
      // This name belongs to the placeholder before it: `$1 = token`, `$1 AS token`.
      if (this.#waiting !== undefined && (this.#comparesWaiting || this.#isAlias) && this.#isSecret(name))
        this.#add(this.#waiting);
      this.#comparesWaiting = false;
      this.#last = name;
    }
    this.#isAlias = lower === 'as';
  }

  #comparesWaiting = false;
  #isAlias = false;

  #compare(): void {
    if (this.#waiting !== undefined && this.#last === '') this.#comparesWaiting = true;
    else if (this.#last !== '') this.#target = { depth: this.#depth, isSecret: this.#isSecret(this.#last) };
    this.#last = '';
  }

  #sign(token: string): void {
    if (token === '(') this.#open();
    else if (token === ')') this.#close();
    else if (token === ',') this.#comma();
    else if (token === ';') {
      this.#target = undefined;
      this.#last = '';
      this.#reads = 'nothing';
    } else if (token !== '.' && token !== '*' && !token.includes('|')) this.#compare();
  }

  #open(): void {
    this.#depth++;
    if (this.#reads === 'table') {
      this.#reads = 'columns';
      this.#columns = [];
      this.#column = 0;
      this.#base = this.#depth;
    } else if (this.#secretDepth < 0 && HASHES.has(this.#last.toLowerCase())) this.#secretDepth = this.#depth;
    this.#last = '';
  }

  #close(): void {
    if (this.#secretDepth === this.#depth) this.#secretDepth = -1;
    this.#depth--;
    if (this.#reads === 'columns' && this.#depth < this.#base) this.#reads = 'columns end';
    else if (this.#reads === 'expressions' && this.#depth < this.#base - 1) this.#reads = 'nothing';
    if (this.#target !== undefined && this.#target.depth > this.#depth) this.#target = undefined;
    this.#last = '';
  }

  #comma(): void {
    if (this.#target !== undefined && this.#target.depth >= this.#depth) this.#target = undefined;
    if (this.#depth === this.#base && (this.#reads === 'columns' || this.#reads === 'expressions'))
      this.#column++;
    // The comma separates two rows of VALUES, so the columns are counted from 0 again.
    else if (this.#reads === 'expressions' && this.#depth === this.#base - 1) this.#column = 0;
    this.#waiting = undefined;
    this.#last = '';
  }
}
