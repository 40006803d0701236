export type Declaration = 'lexical' | 'var' | 'function';

/** The names of one block or function. They are tracked so that few programs are invalid because they declare a name twice. */
export class NameScope {
  private readonly lexical = new Set<string>();
  private readonly vars = new Set<string>();
  private readonly parent: NameScope | null;
  readonly isFunction: boolean;

  constructor(parent: NameScope | null, isFunction: boolean) {
    this.parent = parent;
    this.isFunction = isFunction;
  }

  /** Declares the name in this scope and returns true if that is valid; otherwise returns false. */
  declare(name: string, how: Declaration): boolean {
    // A function at the top level of another function behaves like a `var`.
    if (how === 'lexical' || (how === 'function' && !this.isFunction)) {
      if (this.lexical.has(name) || this.vars.has(name)) return false;
      this.lexical.add(name);
      return true;
    }
    const scopes = this.upToFunction();
    if (scopes.some(({ lexical }) => lexical.has(name))) return false;
    for (const { vars } of scopes) vars.add(name);
    return true;
  }

  private upToFunction(): NameScope[] {
    const scopes: NameScope[] = [this];
    for (let last: NameScope = this; !last.isFunction && last.parent !== null; last = last.parent)
      scopes.push(last.parent);
    return scopes;
  }
}
