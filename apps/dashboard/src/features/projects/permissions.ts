import { type Action, mayDo, type Project, type Role } from '@throughline/contract';
import type { SignedInSession } from '../../shell/session/stored-session.ts';

type Who = Pick<SignedInSession, 'organization'>;

/** Returns the user's role in the account that would own a new project. */
function findOwnRole({ organization }: Who): Role {
  return organization?.role ?? 'solo';
}

/** Returns the user's role for a project, or undefined for another organization's project. */
function findRoleTowards({ organization }: Who, project: Pick<Project, 'organizationId'>): Role | undefined {
  if (project.organizationId === null) return 'solo';
  return project.organizationId === organization?.id ? organization.role : undefined;
}

export function mayCreateProject(who: Who): boolean {
  return mayDo(findOwnRole(who), 'projects.create');
}

/** True if the user can take this action on this project. The server enforces the same table of permissions. */
export function mayDoWith(who: Who, project: Pick<Project, 'organizationId'>, action: Action): boolean {
  const role = findRoleTowards(who, project);
  return role !== undefined && mayDo(role, action);
}
