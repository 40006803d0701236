import { Text } from '@mantine/core';
import { formatLimit, getLimit, PLANS, type Project } from '@throughline/contract';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { mayDoWith, useProjects } from '../projects/index.ts';
import { findShortestRetention, hasLongerRetention } from './retention.ts';

interface RetentionNoteProps {
  /** The project of the list; undefined if the list has the traces of all projects that the viewer can see. */
  readonly projectId: string | undefined;
  /** Start time of the list's period; undefined if the list reaches back to the oldest trace. */
  readonly from: string | undefined;
}

/**
 * Note above or below a list that begins before the plan's retention. Says how long traces are stored, and links to the plans with longer
 * retention.
 */
export function RetentionNote({ projectId, from }: RetentionNoteProps) {
  const projects = useProjects();
  const listed = projects.data?.filter(({ id }) => projectId === undefined || id === projectId) ?? [];
  const project = findShortestRetention(listed, from, new Date());
  if (project === undefined) return null;
  const { plan } = project;
  return (
    <Text size="sm" c="dimmed" role="note" my="xs">
      Traces older than {formatLimit('retention', getLimit('retention', plan))} are not stored on the{' '}
      {PLANS[plan].name} plan. <LongerRetentionLink project={project} />
    </Text>
  );
}

/** Link to the plans, shown if a plan with longer retention exists and the viewer can change the plan. */
export function LongerRetentionLink({ project }: { readonly project: Project | undefined }) {
  const who = useSignedIn();
  if (project === undefined) return null;
  const kind = project.organizationId === null ? 'solo' : 'organization';
  if (!mayDoWith(who, project, 'billing.manage') || !hasLongerRetention(project.plan, kind)) return null;
  return (
    <AnchorLink to="/billing" inherit underline="always">
      See plans
    </AnchorLink>
  );
}
