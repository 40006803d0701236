import { Text, Title } from '@mantine/core';
import { formatCount, type Subscription, UNLIMITED } from '@throughline/contract';
import { toneColour } from '../../shell/tones.ts';
import classes from './billing.module.css';
import { fillTone, formatDayOf, percentOf } from './subscription-texts.ts';

/** What is used of the plan: numbers, percent, and a bar whose colour says how full. */
export function UsageBars({ subscription }: { readonly subscription: Subscription }) {
  const { usage, projectedTraces, usagePeriodEnd } = subscription;
  const rows = [
    { label: 'Team members', ...usage.teamMembers },
    { label: 'Projects', ...usage.projects },
    { label: 'Traces this month', ...usage.traces },
  ];
  return (
    <section className={classes.card} aria-label="Usage">
      <Title order={2} size="h3">
        Usage
      </Title>
      {rows.map((row) => (
        <UsageBar key={row.label} {...row} />
      ))}
      <Text size="xs" c="dimmed">
        The month of traces ends on {formatDayOf(usagePeriodEnd)}.
        {projectedTraces !== null &&
          ` At this rate it will have ${formatCount(projectedTraces)} traces, ${percentText(percentOf({ used: projectedTraces, limit: usage.traces.limit }))} of the plan.`}
      </Text>
    </section>
  );
}

function UsageBar({
  label,
  used,
  limit,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}) {
  const percent = percentOf({ used, limit });
  const tone = fillTone(percent);
  const text =
    limit === UNLIMITED
      ? `${formatCount(used)} of unlimited`
      : `${formatCount(used)} of ${formatCount(limit)} · ${percentText(percent)}`;
  return (
    <div className={classes.usage}>
      <span>{label}</span>
      <span className="figures">{text}</span>
      <div className={classes.bar} aria-hidden>
        <div style={{ width: `${Math.min(100, percent)}%`, background: toneColour(tone, 'fill') }} />
      </div>
    </div>
  );
}

function percentText(percent: number): string {
  return `${percent > 0 && percent < 1 ? '< 1' : Math.round(percent)} %`;
}
