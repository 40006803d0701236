import type { Binding, BindingKind, FunctionModel, ListStatement, LoopBody, Scope } from './model.ts';

/** A function's own scope, parameters and body in one; with no owner, one whose values nobody takes. */
export function functionScope(parent: Scope | null, owner: FunctionModel | null): Scope {
  return { parent, owner, isFunction: true, around: null, loop: null, bindings: null, disposes: false };
}

export function blockScope(parent: Scope, around: ListStatement | null, loop: LoopBody | null): Scope {
  return { parent, owner: parent.owner, isFunction: false, around, loop, bindings: null, disposes: false };
}

/** Declares a name where it is written, or at its function if it is a `var`. */
export function declare(from: Scope, name: string, start: number, kind: BindingKind): Binding {
  let scope = from;
  if (kind === 'var') while (!scope.isFunction && scope.parent !== null) scope = scope.parent;
  scope.bindings ??= new Map();
  const known = scope.bindings.get(name);
  // A parameter and a `var` of one name are one variable; the name of a function expression gives way to either.
  if (known !== undefined && known.kind !== 'outside') {
    // A syntax error, which must stay one: inside the `try` that is put around the body it would be none.
    if (known.kind === 'parameter' && isLexical(kind) && scope.owner !== null)
      scope.owner.skipped ??= `it declares the parameter ${name} in another way`;
    return known;
  }
  const binding: Binding = { name, kind, start, scope, mirror: null };
  scope.bindings.set(name, binding);
  scope.owner?.bindings.push(binding);
  return binding;
}

const isLexical = (kind: BindingKind): boolean => kind === 'let' || kind === 'const' || kind === 'class';

/** True if the binding's values are followed: a `catch` around the body reads parameters and `var`s itself. */
export function isFollowed({ kind }: Binding): boolean {
  return kind !== 'parameter' && kind !== 'var' && kind !== 'outside';
}

export function lookUp(name: string, from: Scope): Binding | null {
  for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
    const binding = scope.bindings?.get(name);
    if (binding !== undefined) return binding;
  }
  return null;
}

/** The number of blocks of its function around a scope. */
export function nesting(scope: Scope): number {
  let depth = 0;
  for (let link: Scope | null = scope; link !== null && !link.isFunction; link = link.parent) depth++;
  return depth;
}
