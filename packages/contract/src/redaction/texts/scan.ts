import type { JudgedName } from '../names/names.ts';
import type { NameVerdict } from '../names/verdicts.ts';
import type { SecretParameters } from '../syntax/queries/sql-parameters.ts';

/** A secret part of a text: where it begins and ends. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Determines what a name implies about its value and about sibling members. */
export interface Names {
  look(name: string): JudgedName;
  judge(name: string): NameVerdict;
}

type IsSecretIn = (text: string, names: Names, depth: number) => boolean;

/** A text that is searched. Several searches share state in this object, so that none repeats the work of another. */
export class TextScan {
  readonly text: string;
  readonly names: Names;
  /** Further parts that the last search found after the part it returned, in order, such as the other values of a row. */
  pending: Part[] | undefined = undefined;
  /** A search for the end of a user name found no '@' before this index. */
  noSignBefore = 0;
  /** True if a word of the text names secrets, or begins a statement that does. */
  hasNoun = false;
  /** A search found no '<' from this index on. */
  lastTag = Number.POSITIVE_INFINITY;
  /** End of the last line that was examined as a line of column names, or of the rows below that line. */
  linesEnd = 0;
  /** Index of the next line end. If the search for the line end reached its length limit: the index at which the search stopped. */
  nextLineEnd = 0;
  /** End of the last run of base64url characters, valid for every index within the run. */
  runEnd = 0;

  /** End of the last text that was searched for the values of a Kubernetes manifest. */
  manifestEnd = 0;
  /** End of the last run of base64 characters that was decoded. */
  decodedEnd = 0;
  /** The secret parameters of the statement in this text. Null if there is no statement, undefined before the first search. */
  logged: SecretParameters | null | undefined = undefined;
  /** Number of times that the text was encoded within another text. */
  readonly depth: number;
  readonly #isSecretIn: IsSecretIn;
  #hasKeyType: boolean | undefined;

  constructor(text: string, names: Names, depth: number, isSecretIn: IsSecretIn) {
    this.text = text;
    this.names = names;
    this.depth = depth;
    this.#isSecretIn = isSecretIn;
  }

  /** True if a text that was encoded in this text contains a secret. */
  holdsSecret(decoded: string): boolean {
    return this.#isSecretIn(decoded, this.names, this.depth + 1);
  }

  /** True if the text contains a JSON Web Key. */
  get hasKeyType(): boolean {
    this.#hasKeyType ??= KEY_TYPE.test(this.text);
    return this.#hasKeyType;
  }
}

const KEY_TYPE = /\bkty\\{0,64}["']?\s?:/;
