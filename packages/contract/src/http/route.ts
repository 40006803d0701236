import type { z } from 'zod';
import type { Action } from '../accounts/roles.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How a route authenticates its caller: not at all, by a session's bearer token, or by a project's API key.
 * Some routes for sessions also accept an access token: see {@link Route.accessTokens}.
 */
export type Access =
  | {
      readonly by: 'anyone';
      /**
       * Rate limit per IP address: for logins, for account routes that could be used for guessing, or for
       * reading public data.
       */
      readonly limit?: 'login' | 'account' | 'public';
    }
  /** Requires a session, but declares no role; the route's handler can check further rights. */
  | { readonly by: 'session'; readonly publicViewers?: true }
  /** Requires a role that allows the action in the project, trace or organization that the path names. */
  | {
      readonly by: 'session';
      readonly action: Action;
      readonly on: 'project' | 'trace' | 'organization';
      /** True if viewers of a public project also get a response, with every value masked. */
      readonly publicViewers?: true;
    }
  /** Requires a role that allows the action in the account or organization that will own the new item. */
  | { readonly by: 'session'; readonly action: Action; readonly on: 'own'; readonly publicViewers?: never }
  | { readonly by: 'api-key' };

/** Type of the body of a successful response. For streams, `answer` describes one event or one line. */
export type AnswerKind = 'json' | 'event-stream' | 'ndjson' | 'pdf';

/**
 * One API route. The server, its validation, the client, OpenAPI and the docs derive from this declaration.
 */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Path from the server's root. Parameters are written as `:name`. */
  readonly path: string;
  /** One short sentence for the docs. */
  readonly summary: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
  readonly answerKind?: AnswerKind;
  /** Status of a successful response; 200 if absent. */
  readonly status?: number;
  /** Error codes of this route, in addition to those that every route can return. */
  readonly errors: readonly ErrorCode[];
  /**
   * Set if the route also requires recent authentication: the caller logged in or confirmed their identity within the last {@link
   * RECENT_AUTHENTICATION_MINUTES} minutes. `email-change`: only if the body's `email` differs from the account's email.
   */
  readonly recentAuthentication?: true | 'email-change';
  /**
   * True if a user's access token is accepted in place of a session's token. Only for routes that read projects, traces, errors or
   * analytics.
   */
  readonly accessTokens?: true;
}

export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(route: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  return route;
}

/** Input for one part of a route's request: parameters, query or body. */
export type ParamsOf<R> = R extends Route<infer P, infer _Q, infer _B, infer _A> ? z.input<P> : never;
export type QueryOf<R> = R extends Route<infer _P, infer Q, infer _B, infer _A> ? z.input<Q> : never;
export type BodyOf<R> = R extends Route<infer _P, infer _Q, infer B, infer _A> ? z.input<B> : never;
/** Response of a route. */
export type AnswerOf<R> = R extends Route<infer _P, infer _Q, infer _B, infer A> ? z.output<A> : never;

/** Fills in the parameters of a route's path, each URL-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
