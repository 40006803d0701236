import { Button, Group, Skeleton, Text } from '@mantine/core';
import { type Finding, formatCount, formatCounted, type Insights, type Project } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { toneColour } from '../../../shell/theme/tones.ts';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { AnchorLink, ButtonLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { mayDoWith } from '../../projects/permissions.ts';
import classes from '../analytics.module.css';
import { useInsights, useInsightsSummary } from '../data/queries.ts';
import type { Scope } from '../data/scope.ts';
import { linkSearch } from '../tables/trace-links.ts';
import { TracesLink } from '../tables/traces-link.tsx';
import { listEvidence } from './evidence.ts';

interface InsightsPanelProps {
  readonly scope: Scope;
  readonly project: Project;
}

/** The findings in the range with their evidence; a sample if the plan has no insights. */
export function InsightsPanel({ scope, project }: InsightsPanelProps) {
  const insights = useInsights(scope);
  return (
    <section aria-label="Insights" className={classes.panel}>
      <h2 className={classes.title}>Insights</h2>
      {insights.isError ? (
        <ErrorNotice
          what="Insights could not be loaded."
          error={insights.error}
          onRetry={() => void insights.refetch()}
          retrying={insights.isFetching}
        />
      ) : insights.data === undefined ? (
        <div role="status" aria-busy="true">
          <span className="visually-hidden">Loading insights…</span>
          <Skeleton height={48} />
        </div>
      ) : insights.data.available ? (
        <Findings insights={insights.data} scope={scope} />
      ) : (
        <Sample insights={insights.data} project={project} />
      )}
    </section>
  );
}

function Findings({ insights, scope }: { readonly insights: Insights; readonly scope: Scope }) {
  const { findings, requestCount } = insights;
  if (findings.length === 0) {
    return <p className={classes.empty}>Nothing unusual in {formatCounted(requestCount, 'request')}.</p>;
  }
  return (
    <>
      <p className={classes.note}>
        {formatCounted(findings.length, 'finding')} in {formatCounted(requestCount, 'request')}.
      </p>
      {findings.map((finding) => (
        <FindingView key={finding.id} finding={finding} linked />
      ))}
      {insights.summaryAvailable && <Summary scope={scope} />}
    </>
  );
}

/** Sample findings. No value is from this project. */
function Sample({ insights, project }: { readonly insights: Insights; readonly project: Project }) {
  const mayUpgrade = mayDoWith(useSignedIn(), project, 'billing.manage');
  return (
    <>
      <Group gap="xs" justify="space-between">
        <Text size="sm">
          <span className={classes.sample}>Sample</span>
          Insights are part of Enterprise Plus. This is what they look like; none of it is about your project.
        </Text>
        {mayUpgrade && (
          <ButtonLink to="/billing" size="compact-sm">
            See plans
          </ButtonLink>
        )}
      </Group>
      {insights.findings.map((finding) => (
        <FindingView key={finding.id} finding={finding} linked={false} />
      ))}
    </>
  );
}

const SEVERITIES = {
  high: { label: 'High', tone: 'red' },
  medium: { label: 'Medium', tone: 'amber' },
  low: { label: 'Low', tone: 'grey' },
} as const;

interface FindingViewProps {
  readonly finding: Finding;
  /** True if the finding's traces can be opened. */
  readonly linked: boolean;
}

function FindingView({ finding, linked }: FindingViewProps) {
  const severity = SEVERITIES[finding.severity];
  const [example] = finding.exampleTraceIds;
  return (
    <article className={classes.finding} aria-label={escapeControlCharacters(finding.title)}>
      <Group gap="xs">
        <span
          className={classes.severity}
          style={{ color: toneColour(severity.tone), background: toneColour(severity.tone, 'soft') }}
        >
          {severity.label}
        </span>
        <Text fw={600} size="sm">
          {escapeControlCharacters(finding.title)}
        </Text>
      </Group>
      <Text size="sm" mt={4}>
        {escapeControlCharacters(finding.detail)}
      </Text>
      <dl className={classes.evidence}>
        {listEvidence(finding).map(({ name, text }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{escapeControlCharacters(text)}</dd>
          </div>
        ))}
      </dl>
      <Group gap="sm" className={classes.note ?? ''}>
        <span>
          since <Timestamp at={finding.since} />, {formatCount(finding.requestCount)}{' '}
          {finding.requestCount === 1 ? 'request' : 'requests'}
        </span>
        {linked && <TracesLink search={linkSearch(finding.traces)}>Show traces</TracesLink>}
        {linked && example !== undefined && (
          <AnchorLink
            to="/traces/$id"
            params={{ id: example }}
            search={{ project: finding.traces.projectId }}
            inherit
          >
            Open an example
          </AnchorLink>
        )}
      </Group>
    </article>
  );
}

/** The findings in words, written when somebody asks for them. */
function Summary({ scope }: { readonly scope: Scope }) {
  const summary = useInsightsSummary(scope);
  if (summary.isError) {
    return (
      <ErrorNotice
        what="The summary could not be written."
        error={summary.error}
        onRetry={() => summary.mutate()}
        retrying={summary.isPending}
      />
    );
  }
  if (summary.data === undefined) {
    return (
      <Button
        size="compact-sm"
        variant="default"
        loading={summary.isPending}
        onClick={() => summary.mutate()}
      >
        Write a summary
      </Button>
    );
  }
  return summary.data === null ? (
    <p className={classes.note}>No summary: the language model did not answer.</p>
  ) : (
    <article aria-label="Summary" className={classes.finding}>
      <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
        {summary.data.text}
      </Text>
      <p className={classes.note}>
        Written by {summary.data.model}, <Timestamp at={summary.data.createdAt} />.
      </p>
    </article>
  );
}
