/** Building blocks of a statement. Each call of `value` or `statements` writes another random block. */
export interface Parts {
  /** Two names that are not yet used in this scope. */
  readonly x: string;
  readonly y: string;
  /** A variable that may be assigned to, if there is one. */
  readonly target: string | undefined;
  readonly canAwait: boolean;
  value(): string;
  /** Writes the statements of a block, which may read these names in addition to the names that are already readable. */
  statements(...names: string[]): string;
}
