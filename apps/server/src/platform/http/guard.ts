import type { Access, ConfirmWith, MemberRole, Role, UserType } from '@throughline/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { OrganizationId, ProjectId, SessionId, UserId } from '../ids.ts';

/** Who calls, as the session says. */
export interface Caller {
  readonly userId: UserId;
  readonly email: string;
  readonly sessionId: SessionId;
  /** When the caller last proved their identity in this session: at its login, or later. */
  readonly authenticatedAt: Date;
  readonly userType: z.infer<typeof UserType>;
  readonly organization: { readonly id: OrganizationId; readonly role: MemberRole } | null;
}

/** A project whose traces are shown, to whomever. */
export interface ShownProject {
  readonly id: ProjectId;
  /** Epoch µs: traces that started earlier are expired under the plan's retention now. */
  readonly shownSince: bigint;
}

/** A project that the caller may see. */
export interface VisibleProject extends ShownProject {
  /** The caller's role there. */
  readonly role: Role;
}

/** The resource of a call that the caller is allowed to make. */
export type Scope =
  /** Nothing in particular: what the caller may see is for the handler to filter. */
  | { readonly on: 'none' }
  | { readonly on: 'project'; readonly project: VisibleProject }
  /** The trace is in one of `projects`, or the caller may not do this to it (`readOnly`), or it is not there. */
  | {
      readonly on: 'trace';
      readonly projects: readonly VisibleProject[];
      readonly readOnly: readonly VisibleProject[];
    }
  | { readonly on: 'organization'; readonly organizationId: OrganizationId; readonly role: MemberRole }
  | { readonly on: 'own'; readonly role: Role };

/** A scope in which a role decides. */
export type RoleScope = Exclude<Scope, { readonly on: 'none' }>;
export type SessionAccess = Extract<Access, { readonly by: 'session' }>;

/** How calls learn who calls and whether he may. Its answers come from sessions and from the role table. */
export interface Guard {
  /** @throws AppError `unauthenticated` */
  caller(request: FastifyRequest): Promise<Caller>;
  /**
   * Finds the resource of the route's kind for the caller. Undefined: it does not exist, or the caller has no access.
   * `id` is the path's first parameter.
   */
  scope(caller: Caller, on: RoleScope['on'], id: string): Promise<RoleScope | undefined>;
  /** Tells how the caller must confirm their identity; undefined: they have recently. */
  confirmation(caller: Caller): Promise<ConfirmWith | undefined>;
}
