import { type Action, mayDo, type Project, type Role } from '@throughline/contract';
import type { SignedInSession } from '../../shell/session/stored-session.ts';

type Who = Pick<SignedInSession, 'organization'>;

/** The role that one has where a new project of one's own would go. */
function ownRole({ organization }: Who): Role {
  return organization?.role ?? 'solo';
}

/** The role that one has towards a project; undefined towards another organization's. */
function roleTowards({ organization }: Who, project: Pick<Project, 'organizationId'>): Role | undefined {
  if (project.organizationId === null) return 'solo';
  return project.organizationId === organization?.id ? organization.role : undefined;
}

/** True to offer the creation of a project. */
export function mayCreateProject(who: Who): boolean {
  return mayDo(ownRole(who), 'projects.create');
}

/** True to offer this action on this project. The server decides by the same table. */
export function mayDoWith(who: Who, project: Pick<Project, 'organizationId'>, action: Action): boolean {
  const role = roleTowards(who, project);
  return role !== undefined && mayDo(role, action);
}
