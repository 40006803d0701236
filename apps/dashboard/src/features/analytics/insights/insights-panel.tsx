import { Button, Group, Skeleton, Text } from '@mantine/core';
import {
  ALERT_SEVERITIES,
  formatCount,
  formatCounted,
  type Insights,
  type Project,
} from '@throughline/contract';
import { useEffect, useRef } from 'react';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import { mayDoWith } from '../../projects/index.ts';
import classes from '../analytics.module.css';
import { useInsights, useInsightsSummary } from '../data/queries.ts';
import type { Scope } from '../data/scope.ts';
import { FindingActions } from './finding-actions.tsx';
import { FindingView } from './finding-view.tsx';
import { HiddenFindings } from './hidden-findings.tsx';

interface InsightsPanelProps {
  readonly scope: Scope;
  readonly project: Project;
}

/**
 * Lists the findings in the time range with their evidence. If the plan has no insights, shows the number of findings, and sample findings.
 * Links in the messages of alerts and in emails open the page at this panel.
 */
export function InsightsPanel({ scope, project }: InsightsPanelProps) {
  const insights = useInsights(scope);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpened = useViewParams().tab === 'insights' && !insights.isPending;
  useEffect(() => {
    if (!isOpened) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [isOpened]);
  return (
    <section aria-label="Insights" className={classes.panel}>
      <h2 className={classes.title} ref={heading} tabIndex={-1}>
        Insights
      </h2>
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
        <Findings
          insights={insights.data}
          readAt={insights.dataUpdatedAt}
          scope={scope}
          project={project}
          // The button with the focus disappears together with the finding, so the heading gets the focus.
          onDecided={() => heading.current?.focus()}
        />
      ) : (
        <Sample insights={insights.data} project={project} />
      )}
    </section>
  );
}

interface FindingsProps extends InsightsPanelProps {
  readonly insights: Insights;
  /** When the response arrived, in milliseconds. */
  readonly readAt: number;
  readonly onDecided: () => void;
}

function Findings({ insights, readAt, scope, project, onDecided }: FindingsProps) {
  const { findings, hidden, returned } = insights;
  const mayDecide = mayDoWith(useSignedIn(), project, 'insights.edit');
  const isCalm = findings.length === 0;
  return (
    <>
      <p className={isCalm ? classes.empty : classes.note}>
        {describeOpen(insights)}
        {isEarlier(insights, readAt) && (
          <>
            {' '}
            Searched <Timestamp at={insights.examinedUntil} />.
          </>
        )}
      </p>
      {findings.map((finding) => (
        <FindingView key={finding.id} finding={finding} linked isBack={returned.includes(finding.id)}>
          {mayDecide && <FindingActions projectId={project.id} finding={finding} onDecided={onDecided} />}
        </FindingView>
      ))}
      {hidden.length > 0 && (
        <HiddenFindings hidden={hidden} projectId={project.id} mayDecide={mayDecide} onDecided={onDecided} />
      )}
      {!isCalm && insights.summaryAvailable && <Summary scope={scope} />}
    </>
  );
}

/** If the server searched for findings longer ago than this, the panel shows the time of the search. Milliseconds. */
const EARLIER_MS = 60_000;

/**
 * True if the server searched for findings more than `EARLIER_MS` before the response arrived. The findings then do not cover the latest
 * requests.
 */
function isEarlier({ examinedUntil, range }: Insights, readAt: number): boolean {
  return examinedUntil < range.endDate && readAt - Date.parse(examinedUntil) > EARLIER_MS;
}

/** Describes the number of open findings, such as "3 findings in 17 requests: 1 high, 2 low." */
function describeOpen({ openFindings, requestCount }: Insights): string {
  const { high, medium, low } = openFindings;
  const examined = formatCounted(requestCount, 'request');
  if (high + medium + low === 0) return `Nothing unusual in ${examined}.`;
  const parts = ALERT_SEVERITIES.flatMap((severity) =>
    openFindings[severity] === 0 ? [] : [`${formatCount(openFindings[severity])} ${severity}`],
  );
  return `${formatCounted(high + medium + low, 'finding')} in ${examined}: ${parts.join(', ')}.`;
}

/** The number of the project's findings, and sample findings. No value of the sample is from this project. */
function Sample({ insights, project }: { readonly insights: Insights; readonly project: Project }) {
  const mayUpgrade = mayDoWith(useSignedIn(), project, 'billing.manage');
  return (
    <>
      <p className={classes.note}>{describeOpen(insights)}</p>
      <Group gap="xs" justify="space-between">
        <Text size="sm">
          <span className={classes.sample}>Sample</span>
          Insights are part of Enterprise Plus. The findings below are examples, not from your project.
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

/** A summary of the findings in words, written when the user requests the summary. */
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
    <p className={classes.note}>No summary: the language model did not respond.</p>
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
