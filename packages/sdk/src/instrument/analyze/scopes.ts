import type { Binding, BindingKind, FunctionModel, ListStatement, LoopBody, Scope } from './model.ts';

/**
 * Builds the scope of a function's body, a function's parameters, a static block or the program. A `var` belongs to the nearest such scope
 * around it. If `owner` is null, no step shows the scope's values.
 */
export function buildFunctionScope(parent: Scope | null, owner: FunctionModel | null): Scope {
  return { parent, owner, isFunction: true, around: null, loop: null, bindings: null, disposes: false };
}

export function blockScope(parent: Scope, around: ListStatement | null, loop: LoopBody | null): Scope {
  return { parent, owner: parent.owner, isFunction: false, around, loop, bindings: null, disposes: false };
}

/** Declares a name in the given scope, or a `var` in the scope of its function. */
export function declare(from: Scope, name: string, start: number, kind: BindingKind): Binding {
  let scope = from;
  if (kind === 'var') while (!scope.isFunction && scope.parent !== null) scope = scope.parent;
  scope.bindings ??= new Map();
  const known = scope.bindings.get(name);
  // A parameter and a `var` with the same name are one variable. A parameter and a `var` both hide the name of the function expression
  // itself.
  if (known !== undefined && known.kind !== 'outside') {
    // A parameter and a lexical variable with the same name are a syntax error. Inside the injected `try` the declaration would become
    // valid.
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

/**
 * True if the binding needs a mirror, because the `catch` around the body cannot read the binding. The `catch` can read only parameters and
 * `var`s directly.
 */
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

/** Counts the blocks between a scope and its function. */
export function countNesting(scope: Scope): number {
  let depth = 0;
  for (let link: Scope | null = scope; link !== null && !link.isFunction; link = link.parent) depth++;
  return depth;
}
