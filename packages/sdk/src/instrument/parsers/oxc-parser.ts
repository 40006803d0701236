import { convertEstree } from './estree.ts';
import { loadBinding } from './native-binding.ts';
import type { FullParser } from './parser.ts';

/** The part of oxc's native binding that is used. oxc's JavaScript package around the binding would add 3 MB. */
interface Binding {
  parseSync(
    file: string,
    source: string,
    options: object,
  ): { readonly program: string; readonly errors: readonly OxcError[] };
}

interface OxcError {
  readonly severity: string;
  readonly message: string;
}

let oxc: FullParser | null | undefined;

/** Returns oxc's parser; undefined if no working binding is installed for this machine. */
export function loadOxc(): FullParser | undefined {
  oxc ??= findOxc();
  return oxc ?? undefined;
}

function findOxc(): FullParser | null {
  const binding = loadBinding('@oxc-parser/binding-');
  if (!isBinding(binding)) return null;
  const parser = createParser(binding);
  try {
    // Parses a short source, in order to check that the binding works on this machine and returns the expected format.
    return 'error' in parser.parse('1', 'ts', 'module') ? null : parser;
  } catch {
    return null;
  }
}

function isBinding(found: unknown): found is Binding {
  return typeof found === 'object' && found !== null && 'parseSync' in found;
}

function createParser(binding: Binding): FullParser {
  return {
    findError(source, language, kind) {
      const { errors } = binding.parseSync(`source.${language}`, source, {
        lang: language,
        sourceType: kind,
        showSemanticErrors: true,
      });
      return findMessage(errors) ?? null;
    },

    parse(source, language, kind) {
      const isTypeScript = language === 'ts' || language === 'tsx';
      const { program, errors } = binding.parseSync(`source.${language}`, source, {
        lang: language,
        sourceType: kind,
        astType: isTypeScript ? 'ts' : 'js',
      });
      const problem = findMessage(errors);
      if (problem !== undefined) return { error: problem };
      return convertEstree(readProgram(program), source, isTypeScript) ?? { error: 'no program' };
    },
  };
}

function findMessage(errors: readonly OxcError[]): string | undefined {
  return errors.find(({ severity }) => severity === 'Error')?.message;
}

/** Reads the program from the binding's JSON. Ignores the list of literals whose values JSON cannot express. */
function readProgram(json: string): unknown {
  const read: unknown = JSON.parse(json);
  return typeof read === 'object' && read !== null && 'node' in read ? read.node : undefined;
}
