import { parseTarget } from '../target.ts';
import type { Mount } from './mount.ts';

const MAX_SHOWN = 3;

/** GraphQL operations of a request. A GraphQL server has a single path, so the operations distinguish its requests. */
export class Operations {
  readonly #labels: string[] = [];
  readonly #path: string;

  /** `path`, the request's path with ids replaced, is shown if the route is unknown. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Adds an operation. Returns true if all operations so far, including this one, have the same label. */
  add(label: string): boolean {
    if (!this.#labels.includes(label)) this.#labels.push(label);
    return this.#labels.length === 1;
  }

  /** Returns the route followed by its operations: `/graphql query Article`. */
  routeBelow(route: string | undefined): string {
    const more = this.#labels.length > MAX_SHOWN ? ', …' : '';
    return `${route ?? this.#path} ${this.#labels.slice(0, MAX_SHOWN).join(', ')}${more}`;
  }
}

/** Returns the path with ids replaced: the mount's path by its template, and segments that look like ids by `:id`. */
export function replaceIdsInPath(target: string, mounts: readonly Mount[]): string {
  const { path } = parseTarget(target, undefined, false);
  const mount = mounts.findLast(({ actual }) => path.startsWith(actual));
  const rest = path.slice(mount?.actual.length ?? 0).split('/');
  const shown = rest.map((segment) => (ID.test(segment) ? ':id' : segment)).join('/');
  return `${mount?.template ?? ''}${shown}` || '/';
}

const ID = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|(?=[^\d]*\d)[\w-]{20,})$/i;
