import { loadAcorn } from './acorn-parser.ts';
import { loadOxc } from './oxc-parser.ts';
import type { FullParser, Parser } from './parser.ts';
import { loadRollupParser } from './rollup-parser.ts';

/** The message if only the parser written in JavaScript is available. */
export const NO_NATIVE_PARSER =
  'no native parser is installed for this machine: TypeScript and JSX are not traced, and starts are slower; install again here (npm install --include=optional)';

let loaded: Parser | undefined;

/**
 * Returns the best installed parser. Rollup's native parser reads JavaScript, many times faster than the others. Oxc's native parser reads
 * TypeScript and all code that Rollup's parser rejects. If oxc's parser is not installed, acorn reads JavaScript in its place.
 */
export function loadParser(): Parser {
  if (loaded === undefined) {
    const rollup = loadRollupParser();
    loaded = {
      parse(source, language, kind) {
        const isJavaScript = language === 'js' || language === 'jsx';
        const tree = isJavaScript ? rollup?.parse(source, language === 'jsx') : undefined;
        return tree ?? loadFullParser().parse(source, language, kind);
      },
    };
  }
  return loaded;
}

/** True if TypeScript can be parsed too. */
export function hasNativeParser(): boolean {
  return loadOxc() !== undefined;
}

/** Loads the parser for code that the fast parser rejects. Loading takes 7 to 13 ms, and most hosts never need this parser. */
export function loadFullParser(): FullParser {
  return loadOxc() ?? loadAcorn();
}
