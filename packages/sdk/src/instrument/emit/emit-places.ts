import { kind, slot } from '../parsers/layout.ts';
import type { Node, Tree } from '../parsers/tree.ts';

/** Returns the offset after the directives of a body or program; `start` if there are no directives. */
export function skipDirectives(tree: Tree, body: Node, start: number): number {
  let end = start;
  const count = tree.count(body, slot.first);
  for (let index = 0; index < count; index++) {
    const statement = tree.item(body, slot.first, index);
    if (tree.kind(statement) !== kind.Directive) break;
    end = tree.end(statement);
  }
  return end;
}
