import type { Tree } from './tree.ts';

export type SourceLanguage = 'js' | 'jsx' | 'ts' | 'tsx';
export type ModuleKind = 'module' | 'commonjs';
export interface Parser {
  /** Returns the program's tree, or the error in the source. */
  parse(source: string, language: SourceLanguage, kind: ModuleKind): Tree | { readonly error: string };
}
export interface FullParser extends Parser {
  /** Returns the syntax error of the source, including names declared twice; null if the source compiles. */
  findError(source: string, language: SourceLanguage, kind: ModuleKind): string | null;
}
