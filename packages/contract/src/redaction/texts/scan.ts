import type { JudgedName, NameVerdict } from '../names/names.ts';

/** The part of a text that is secret. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Tells what a name says of its value, and of members beside it. */
export interface Names {
  look(name: string): JudgedName;
  judge(name: string): NameVerdict;
}

type IsSecretIn = (text: string, names: Names, depth: number) => boolean;

/** One text, and what searches in it found out that others need not find out again. */
export class TextScan {
  readonly text: string;
  readonly names: Names;
  /** Parts behind the one that a search returned, in order: the values of a row, each told by its column. */
  pending: Part[] | undefined = undefined;
  /** From the last failed search for the end of a user's name up to here there is no '@'. */
  noSignBefore = 0;
  /** End of the last run of base64url characters that was read: it ends there for each place within it. */
  runEnd = 0;

  /** End of the last run of base64 that was decoded. */
  decodedEnd = 0;
  /** In how many others, each encoded in the next, the text was. */
  readonly depth: number;
  readonly #isSecretIn: IsSecretIn;
  #hasKeyType: boolean | undefined;

  constructor(text: string, names: Names, depth: number, isSecretIn: IsSecretIn) {
    this.text = text;
    this.names = names;
    this.depth = depth;
    this.#isSecretIn = isSecretIn;
  }

  /** Returns true where a text that was encoded in this one holds a secret. */
  holdsSecret(decoded: string): boolean {
    return this.#isSecretIn(decoded, this.names, this.depth + 1);
  }

  /** True where the text contains a JSON Web Key. */
  get hasKeyType(): boolean {
    this.#hasKeyType ??= KEY_TYPE.test(this.text);
    return this.#hasKeyType;
  }
}

const KEY_TYPE = /\bkty\\{0,64}["']?\s?:/;
