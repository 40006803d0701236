import type { Access, ConfirmWith, MemberRole, Role, Route, UserType } from '@throughline/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { OrganizationId, ProjectId, SessionId, UserId } from '../ids.ts';

/** The caller, as identified by the session, or by an access token on a route that accepts access tokens. */
export interface Caller {
  readonly userId: UserId;
  readonly email: string;
  /** For an access token, the token's id. */
  readonly sessionId: SessionId;
  /** When the caller last proved their identity in this session: at login, or later. */
  readonly authenticatedAt: Date;
  readonly userType: z.infer<typeof UserType>;
  readonly organization: { readonly id: OrganizationId; readonly role: MemberRole } | null;
}

/** A project whose traces are shown to members or public viewers. */
export interface ShownProject {
  readonly id: ProjectId;
  /** Epoch µs: traces that started earlier are expired under the current plan's retention. */
  readonly shownSince: bigint;
}

/** A project that the caller can see. */
export interface VisibleProject extends ShownProject {
  /** The caller's role in the project. */
  readonly role: Role;
}

/** The resource of a request that the caller is allowed to make. */
export type Scope =
  /** No particular resource: the handler returns only data that the caller can see. */
  | { readonly on: 'none' }
  | { readonly on: 'project'; readonly project: VisibleProject }
  /**
   * The trace is in one of `projects`, or in one of `readOnly` (projects where the caller lacks permission for this action), or does not
   * exist.
   */
  | {
      readonly on: 'trace';
      readonly projects: readonly VisibleProject[];
      readonly readOnly: readonly VisibleProject[];
    }
  | { readonly on: 'organization'; readonly organizationId: OrganizationId; readonly role: MemberRole }
  | { readonly on: 'own'; readonly role: Role };

/** A scope for which a role is required. */
export type RoleScope = Exclude<Scope, { readonly on: 'none' }>;
export type SessionAccess = Extract<Access, { readonly by: 'session' }>;

/** Identifies callers and checks their permissions, based on sessions and the role table. */
export interface Guard {
  /** Returns the caller of a request to the route. @throws AppError `unauthenticated`, `invalid_access_token`, `session_required` */
  caller(request: FastifyRequest, route: Pick<Route, 'accessTokens'>): Promise<Caller>;
  /**
   * Finds the resource of the given kind for the caller. `id` is the parameter `id` of the request's path; empty if the path has none.
   * Returns undefined if the resource does not exist or the caller has no access.
   */
  scope(caller: Caller, on: RoleScope['on'], id: string): Promise<RoleScope | undefined>;
  /** Returns how the caller must confirm their identity. Returns undefined if the caller confirmed it recently. */
  confirmation(caller: Caller): Promise<ConfirmWith | undefined>;
}
