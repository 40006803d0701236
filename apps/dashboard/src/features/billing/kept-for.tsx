import { Text } from '@mantine/core';
import { formatLimit, getLimit, PLANS, type Project } from '@throughline/contract';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { mayDoWith } from '../projects/permissions.ts';
import { useProjects } from '../projects/queries.ts';
import { keepsLonger, shortestKept } from './kept.ts';

interface KeptForProps {
  /** Undefined: every project that the viewer may see. */
  readonly projectId: string | undefined;
  /** Where the list begins, an instant; undefined: with what is oldest. */
  readonly from: string | undefined;
}

/** How long traces are kept, below or above a list that would reach further back, and the way to a plan that keeps them longer. */
export function KeptFor({ projectId, from }: KeptForProps) {
  const projects = useProjects();
  const listed = projects.data?.filter(({ id }) => projectId === undefined || id === projectId) ?? [];
  const project = shortestKept(listed, from, new Date());
  if (project === undefined) return null;
  const { plan } = project;
  return (
    <Text size="sm" c="dimmed" role="note" my="xs">
      Traces older than {formatLimit('retention', getLimit('retention', plan))} are not kept on{' '}
      {PLANS[plan].name}. <LongerKept project={project} />
    </Text>
  );
}

/** A link to a plan with longer retention, for people who may change the plan, if there is such a plan. */
export function LongerKept({ project }: { readonly project: Project | undefined }) {
  const who = useSignedIn();
  if (project === undefined) return null;
  const kind = project.organizationId === null ? 'solo' : 'organization';
  if (!mayDoWith(who, project, 'billing.manage') || !keepsLonger(project.plan, kind)) return null;
  return (
    <AnchorLink to="/billing" inherit underline="always">
      See plans
    </AnchorLink>
  );
}
