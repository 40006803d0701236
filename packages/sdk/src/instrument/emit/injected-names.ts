import { entryCall, runtimeName } from '../../record/capture/runtime-name.ts';

/** Ends what {@link LevelTexts.exit} begins. */
export const exited = ')}';

/** A `return` is put into a comment: it leaves the `try` by its label. */
export const RETURN_BEGINS = '{/*';
export const RETURN_GOES_ON = '*/';

/**
 * The injected variables of a function, and what is put into it that is the same in all functions with as many around them: made once, since
 * every start puts in thousands.
 */
export class LevelTexts {
  readonly frame: string;
  /** The name of the variable for the result. */
  readonly result: string;
  /** The value that `x++` has, while the variable that follows `x` is set. */
  readonly temporary: string;
  /**
   * The frame, or one that does nothing: the values of `await` and `yield` pass through its methods, so that no variable of ours keeps one of them while the
   * function waits.
   */
  readonly hooks: string;
  /** A derived constructor's `this`. */
  readonly self: string;
  /** Enters the function: the site's id, the inputs and the frame around it follow. */
  readonly enter: string;
  /** The frame as one of a function inside passes it on. */
  readonly ifThere: string;
  /** The text after the body, up to the values of its bindings; the result, `this` and {@link exited} follow. */
  readonly exit: string;
  /** The label of a sync function's `try`, which a `return` leaves by {@link breaks}. */
  readonly label: string;
  readonly breaks: string;
  /**
   * The same for a sync function, ended by {@link exitedSync}. It has no `finally`: V8 reserves four words of each frame for one, and recursion would reach its end a
   * third earlier.
   */
  readonly exitSync: string;
  readonly exitedSync: string;
  readonly suspend: string;
  readonly resume: string;
  /** A statement. */
  readonly recover: string;
  /** After `return`. With a space, since compilers that save room write `return{…}`. */
  readonly returned: string;
  /**
   * The same before what holds a function: a variable in parentheses gives it no name, neither its own nor the one that V8 makes out for a stack. Only
   * there, since V8 reads parentheses as what may be a function's parameters.
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

/** The names that injected code declares in one source. They are short, since V8 reads each of them many times a function. */
export class InjectedNames {
  private readonly prefix: string;
  private readonly levels: LevelTexts[] = [];
  private readonly mirrors: string[] = [];

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** The texts of a function with this many functions around it, so that nested ones differ. */
  ofLevel(level: number): LevelTexts {
    this.levels[level] ??= new LevelTexts(this.prefix, level);
    return this.levels[level];
  }

  /** The name of a variable that mirrors a binding. */
  mirror(index: number): string {
    this.mirrors[index] ??= `${this.prefix}v${index}`;
    return this.mirrors[index];
  }
}

const candidates = ['$_', '_$', runtimeName].map((prefix) => ({ prefix, names: new InjectedNames(prefix) }));

/** Names that stand nowhere in the source; undefined where all are taken. */
export function namesFor(source: string): InjectedNames | undefined {
  return candidates.find(({ prefix }) => !source.includes(prefix))?.names;
}
