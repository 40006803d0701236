import { parseTarget } from '../target.ts';
import type { Mount } from './request-trace.ts';

const MAX_SHOWN = 3;

/** The GraphQL operations of a request. A GraphQL server has one path, so the operations distinguish its requests. */
export class Operations {
  readonly #labels: string[] = [];
  readonly #path: string;

  /** `path` is the server's, where nobody knows a route. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Adds an operation; false where it is not the first. */
  add(label: string): boolean {
    if (!this.#labels.includes(label)) this.#labels.push(label);
    return this.#labels.length === 1;
  }

  /** The route with its operations: `/graphql query Article`. */
  routeBelow(route: string | undefined): string {
    const more = this.#labels.length > MAX_SHOWN ? ', …' : '';
    return `${route ?? this.#path} ${this.#labels.slice(0, MAX_SHOWN).join(', ')}${more}`;
  }
}

/** A path without the ids in it: its mount's template, and `:id` for what looks like one. */
export function pathWithoutIds(target: string, mounts: readonly Mount[]): string {
  const { path } = parseTarget(target, undefined, false);
  const mount = mounts.findLast(({ actual }) => path.startsWith(actual));
  const rest = path.slice(mount?.actual.length ?? 0).split('/');
  const shown = rest.map((segment) => (ID.test(segment) ? ':id' : segment)).join('/');
  return `${mount?.template ?? ''}${shown}` || '/';
}

const ID = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|(?=[^\d]*\d)[\w-]{20,})$/i;
