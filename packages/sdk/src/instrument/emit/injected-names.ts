import { entryCall, runtimeName } from '../../internal/runtime-name.ts';

/** Closes the text that {@link LevelTexts.exit} opens. */
export const exited = ')}';

/** Text that begins a comment around `return`. A `break` to the label of the `try` replaces the `return`. */
export const RETURN_BEGINS = '{/*';
export const RETURN_GOES_ON = '*/';

/**
 * Injected names and texts that all functions at one nesting level share. The texts are built once, because they are inserted thousands of
 * times when a host starts.
 */
export class LevelTexts {
  readonly frame: string;
  /** Name of the variable with the function's result. */
  readonly result: string;
  /** Name of the variable that stores the value of `x++` while the mirror of `x` is set. */
  readonly temporary: string;
  /**
   * Name of the variable with the call's `ActiveStep`, or with a stand-in that does nothing. Operands and results of `await` and `yield`
   * pass through methods of this object, so that no injected variable retains a value while the function waits.
   */
  readonly hooks: string;
  /** Name of the variable with the `this` of a derived class's constructor. */
  readonly self: string;
  /** Text that enters the function. The site's id, the inputs and the outer `ActiveStep` follow this text. */
  readonly enter: string;
  /**
   * Expression for this function's `ActiveStep`, used in functions that are nested in this one. At run time, the value is null if there is
   * no `ActiveStep`.
   */
  readonly ifThere: string;
  /** The text after the body, up to the values of the bindings. The result, `this` and {@link exited} follow this text. */
  readonly exit: string;
  /** Label of a sync function's `try`. {@link breaks}, which replaces a `return`, leaves the `try`. */
  readonly label: string;
  readonly breaks: string;
  /**
   * Like {@link exit}, for a sync function; {@link exitedSync} closes this text. A sync function has no `finally`, because V8 would reserve
   * four words of each stack frame for it, so that recursion would reach its limit a third earlier.
   */
  readonly exitSync: string;
  readonly exitedSync: string;
  readonly suspend: string;
  readonly resume: string;
  /** The statement at the start of a `catch` or `finally` block, with its semicolon. */
  readonly recover: string;
  /** Text after `return`. It begins with a space, since minifiers write `return{…}`. */
  readonly returned: string;
  /**
   * Like {@link returned}, for a value that contains a function. If a variable in parentheses is assigned, the function does not get the
   * variable's name, so its `name` and the name that V8 infers for stacks do not change. Not used for other values, because V8 parses
   * parentheses more slowly: they could begin the parameters of an arrow function.
   */
  readonly returnedUnnamed: string;

  constructor(prefix: string, level: number) {
    const f = `${prefix}${level}`;
    const e = `${prefix}e`;
    this.frame = f;
    this.result = `${prefix}r${level}`;
    this.temporary = `${prefix}t${level}`;
    this.hooks = `${prefix}h${level}`;
    this.self = `${prefix}s${level}`;
    this.enter = `var ${f}=typeof ${runtimeName}==='object'&&${runtimeName}.on?${entryCall}`;
    this.ifThere = `typeof ${f}==='object'?${f}:null`;
    this.exit = `}catch(${e}){if(${f})${f}.thrown=[${e}];throw ${e}}finally{${f}?.exit((${f}.all||${f}.thrown)&&[`;
    this.label = `${prefix}l:`;
    this.breaks = `break ${prefix}l`;
    this.exitSync = `}catch(${e}){if(!${f})throw ${e};${f}.thrown=[${e}]}if(${f}?.exit((${f}.all||${f}.thrown)&&[`;
    this.exitedSync = `))throw ${f}.taken();`;
    this.suspend = `${f}?.suspend()`;
    this.resume = `${f}?.resume()`;
    this.recover = `${f}?.recover();`;
    this.returned = ` ${this.result}=`;
    this.returnedUnnamed = ` (${this.result})=`;
  }
}

/** The names that injected code declares in one source. They are short, since V8 reads each name many times per function. */
export class InjectedNames {
  private readonly prefix: string;
  private readonly levels: LevelTexts[] = [];
  private readonly mirrors: string[] = [];

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Returns names and text for a function that is inside `level` other functions. Nested functions get different names. */
  ofLevel(level: number): LevelTexts {
    this.levels[level] ??= new LevelTexts(this.prefix, level);
    return this.levels[level];
  }

  /** Returns the name of the variable that mirrors a binding. */
  mirror(index: number): string {
    this.mirrors[index] ??= `${this.prefix}v${index}`;
    return this.mirrors[index];
  }
}

const candidates = ['$_', '_$', runtimeName].map((prefix) => ({ prefix, names: new InjectedNames(prefix) }));

/** Returns names that occur nowhere in the source; undefined if all candidates occur in it. */
export function namesFor(source: string): InjectedNames | undefined {
  return candidates.find(({ prefix }) => !source.includes(prefix))?.names;
}
