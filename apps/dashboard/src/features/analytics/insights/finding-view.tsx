import { Group, Text } from '@mantine/core';
import { type Finding, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import { StateTag } from '../../../ui/layout/badges.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import classes from '../analytics.module.css';
import { linkSearch } from '../tables/trace-links.ts';
import { TracesLink } from '../tables/traces-link.tsx';
import { listEvidence } from './evidence.ts';
import { formatStartsWithin } from './starts-within.ts';

const SEVERITIES = {
  high: { label: 'High', tone: 'red' },
  medium: { label: 'Medium', tone: 'amber' },
  low: { label: 'Low', tone: 'grey' },
} as const;

interface FindingViewProps {
  readonly finding: Finding;
  /** True if the finding's traces can be opened. */
  readonly linked: boolean;
  /** True if the finding was marked as fixed but occurred again. */
  readonly isBack?: boolean;
  /** The actions for the finding. */
  readonly children?: ReactNode;
}

/** A finding with its evidence and a link to its traces. */
export function FindingView({ finding, linked, isBack = false, children }: FindingViewProps) {
  const severity = SEVERITIES[finding.severity];
  const [example] = finding.exampleTraceIds;
  const { traces } = finding;
  const errorId = findErrorId(finding);
  return (
    <article className={classes.finding} aria-label={escapeControlCharacters(finding.title)}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <span
          className={classes.severity}
          style={{
            color: formatToneColour(severity.tone),
            background: formatToneColour(severity.tone, 'soft'),
          }}
        >
          {severity.label}
        </span>
        <Text fw={600} size="sm">
          {escapeControlCharacters(finding.title)}{' '}
          {isBack && <StateTag tone="amber" label="Marked as fixed, seen again" />}
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
      <Group gap="4px 12px" className={classes.note ?? ''} data-toolbar>
        <span className={classes.extent}>
          <FindingStart finding={finding} />, {formatCounted(finding.requestCount, 'request')}
          {finding.userCount > 0 && ` of ${formatCounted(finding.userCount, 'user')}`}
        </span>
        {linked && <TracesLink search={linkSearch(traces)}>Show traces</TracesLink>}
        {linked && errorId !== null && (
          <AnchorLink
            to="/errors"
            search={{ project: traces.projectId, error: errorId, from: traces.startDate, to: traces.endDate }}
            inherit
          >
            Open the error
          </AnchorLink>
        )}
        <Group gap="sm" wrap="nowrap">
          {linked && example !== undefined && (
            <AnchorLink
              to="/traces/$id"
              params={{ id: example }}
              search={{ project: traces.projectId }}
              inherit
            >
              Open an example
            </AnchorLink>
          )}
          {children}
        </Group>
      </Group>
    </article>
  );
}

/**
 * Shows when the problem began: as an interval or, if the start could not be estimated, as the time of the first request with the problem.
 */
function FindingStart({ finding: { since, startsWithin } }: Pick<FindingViewProps, 'finding'>) {
  if (startsWithin === null) {
    return (
      <>
        since <Timestamp at={since} />
      </>
    );
  }
  return (
    <span className="figures" title="Start of the change, with a confidence of 95 %">
      {formatStartsWithin(startsWithin)}
    </span>
  );
}

/** Returns the id of the error that a finding is about; null if the finding is not about one error. */
function findErrorId({ kind, evidence }: Finding): string | null {
  return kind === 'newError' || kind === 'changed' ? evidence.errorId : null;
}
