import type { z } from 'zod';
import type { Action } from '../accounts/roles.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How a caller of a route is known: by nobody asked, by a session's bearer token, or by a project's API key. */
export type Access =
  | {
      readonly by: 'anyone';
      /** How often an address may call it: as logins or other calls about accounts, which could be used for guessing, or as reading what is public. */
      readonly limit?: 'login' | 'account' | 'visitor';
    }
  /** A session is enough: the route only touches what is the caller's own, or filters to it. */
  | { readonly by: 'session'; readonly visitors?: true }
  /** The caller's role towards the thing that the path names must allow the action. */
  | {
      readonly by: 'session';
      readonly action: Action;
      readonly on: 'project' | 'trace' | 'organization';
      /** True where public viewers of a public project get an answer too, with every value masked. */
      readonly visitors?: true;
    }
  /** The caller's role towards where the new thing goes must allow the action. */
  | { readonly by: 'session'; readonly action: Action; readonly on: 'own'; readonly visitors?: never }
  | { readonly by: 'api-key' };

/** Body of a successful answer. In a stream, `answer` is one event or one line. */
export type AnswerKind = 'json' | 'event-stream' | 'ndjson' | 'pdf';

/** One call of the product, declared once: the server, its validation, the client, OpenAPI and the docs derive from it. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** With `:name` for parameters, from the server's root. */
  readonly path: string;
  /** A short sentence, as the docs list it. */
  readonly summary: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
  readonly answerKind?: AnswerKind;
  /** The status of success; 200 when absent. */
  readonly status?: number;
  /** The codes that this call answers with beyond those that every call may. */
  readonly errors: readonly ErrorCode[];
  /**
   * Calls that a session alone does not open: the caller must have logged in, or confirmed their identity, in the last
   * {@link RECENT_AUTHENTICATION_MINUTES} minutes. `email-change`: only where the body's `email` is not the account's.
   */
  readonly recentAuthentication?: true | 'email-change';
}

/** How long a login, or a confirmation of one's identity, counts as recent. */
export const RECENT_AUTHENTICATION_MINUTES = 15;

export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(route: Route<Params, Query, Body, Answer>): Route<Params, Query, Body, Answer> {
  return route;
}

/** Input of a call, by part. */
export type ParamsOf<R> = R extends Route<infer P, infer _Q, infer _B, infer _A> ? z.input<P> : never;
export type QueryOf<R> = R extends Route<infer _P, infer Q, infer _B, infer _A> ? z.input<Q> : never;
export type BodyOf<R> = R extends Route<infer _P, infer _Q, infer B, infer _A> ? z.input<B> : never;
/** Answer of a call. */
export type AnswerOf<R> = R extends Route<infer _P, infer _Q, infer _B, infer A> ? z.output<A> : never;

/** A route's path with its parameters filled in, each escaped. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
