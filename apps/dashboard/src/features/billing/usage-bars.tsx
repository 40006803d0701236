import { Text, Title } from '@mantine/core';
import { formatCount, type PlanKind, type Subscription, UNLIMITED } from '@throughline/contract';
import type { ReactNode } from 'react';
import { formatToneColour } from '../../shell/theme/tones.ts';
import classes from './billing.module.css';
import { formatDay } from './plan/subscription-texts.ts';
import { computePercent, fillTone } from './usage-level.ts';

interface UsageBarsProps {
  readonly usage: Subscription['usage'];
  readonly kind: PlanKind;
  /** Content below the bars. */
  readonly children?: ReactNode;
}

/** The plan's usage: numbers, percentages, and bars whose colours show the fill level. */
export function UsageBars({ usage, kind, children }: UsageBarsProps) {
  const rows = [
    // A solo user always fills the single seat, so a full bar is no warning.
    { label: 'Team members', ...usage.teamMembers, isCalm: kind === 'solo' },
    { label: 'Projects', ...usage.projects, isCalm: false },
    { label: 'Traces this month', ...usage.traces, isCalm: false },
  ];
  return (
    <section className={classes.card} aria-label="Usage">
      <Title order={2} size="h3">
        Usage
      </Title>
      {rows.map((row) => (
        <UsageBar key={row.label} {...row} />
      ))}
      {children}
    </section>
  );
}

/** Shows when the monthly trace quota resets, and the projected usage at that time. */
export function MonthsEnd({ subscription }: { readonly subscription: Subscription }) {
  const { usage, projectedTraces, usagePeriodEnd } = subscription;
  const isFilling = projectedTraces !== null && projectedTraces > 0;
  return (
    <Text size="xs" c="dimmed">
      Trace quota resets on {formatDay(usagePeriodEnd)}.
      {isFilling &&
        ` At this rate it will have ${formatCount(projectedTraces)} traces, ${formatPercent(computePercent({ used: projectedTraces, limit: usage.traces.limit }))} of the plan.`}
    </Text>
  );
}

interface UsageBarProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly isCalm: boolean;
}

function UsageBar({ label, used, limit, isCalm }: UsageBarProps) {
  const percent = computePercent({ used, limit });
  const tone = isCalm ? 'grey' : fillTone(percent);
  const text =
    limit === UNLIMITED
      ? `${formatCount(used)} (unlimited)`
      : `${formatCount(used)} of ${formatCount(limit)} · ${formatPercent(percent)}`;
  return (
    <div className={classes.usage}>
      <span>{label}</span>
      <span className="figures">{text}</span>
      <div className={classes.bar} aria-hidden>
        <div style={{ width: `${Math.min(100, percent)}%`, background: formatToneColour(tone, 'fill') }} />
      </div>
    </div>
  );
}

function formatPercent(percent: number): string {
  return `${percent > 0 && percent < 1 ? '< 1' : Math.round(percent)} %`;
}
