export const ROLES = ['solo', 'owner', 'admin', 'developer'] as const;

/**
 * A user's role for one resource. `solo`: the resource belongs to this user alone. The other roles: the user is a member of the
 * organization that owns the resource.
 */
export type Role = (typeof ROLES)[number];

/** Roles of an organization's members. */
export const MEMBER_ROLES = ['owner', 'admin', 'developer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** For each action, the roles that allow it. */
export const ROLE_TABLE = {
  'traces.read': ['solo', 'owner', 'admin', 'developer'],
  'traces.delete': ['solo', 'owner', 'admin'],
  'traces.share': ['solo', 'owner', 'admin'],
  'users.erase': ['solo', 'owner'],
  'analytics.read': ['solo', 'owner', 'admin', 'developer'],
  'insights.edit': ['solo', 'owner', 'admin', 'developer'],
  'errors.edit': ['solo', 'owner', 'admin', 'developer'],
  'projects.read': ['solo', 'owner', 'admin', 'developer'],
  'projects.create': ['solo', 'owner', 'admin'],
  'projects.edit': ['solo', 'owner', 'admin'],
  'projects.delete': ['solo', 'owner', 'admin'],
  'projects.publish': ['solo', 'owner', 'admin'],
  'key.read': ['solo', 'owner', 'admin', 'developer'],
  'key.regenerate': ['solo', 'owner', 'admin'],
  'organization.read': ['owner', 'admin', 'developer'],
  'organization.edit': ['owner'],
  'organization.leave': ['owner', 'admin', 'developer'],
  'members.list': ['owner', 'admin', 'developer'],
  'members.manage': ['owner'],
  'audit.read': ['owner'],
  'billing.manage': ['solo', 'owner'],
  'account.delete': ['solo', 'owner'],
  'demo.remove': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ROLE_TABLE;

export function mayDo(role: Role, action: Action): boolean {
  return (ROLE_TABLE[action] as readonly Role[]).includes(role);
}
