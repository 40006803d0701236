import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { mayDo, routes } from '@throughline/contract';
import { useState } from 'react';
import { api } from '../../shell/api.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { AnchorLink } from '../../ui/layout/links.tsx';
import classes from './usage-banner.module.css';

/** The month's count changes with each request of a traced service. Milliseconds. */
const REFRESH_MS = 60_000;

/** A larger plan helps with none of these: the operator of the server must act. */
const OPERATORS_MATTERS: ReadonlySet<string> = new Set(['disk_full', 'traces_damaged', 'clock_ahead']);

/** Warns the owner that most or all of the month is used, or that the trial is over. Shows nothing otherwise. */
export function UsageBanner() {
  const { organization } = useSignedIn();
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => api.call(routes.usage.read, { signal }),
    select: (answer) => answer.usage.notices[0],
    refetchInterval: REFRESH_MS,
    // A banner that cannot be fetched is no reason to disturb.
    retry: false,
  });
  const [dismissed, setDismissed] = useState<string>();
  const notice = usage.data;
  if (notice === undefined || notice.kind === dismissed) return null;
  const mayUpgrade = mayDo(organization?.role ?? 'solo', 'billing.manage');
  return (
    <div role="status" className={classes.banner} data-grave={notice.kind !== 'quota_80'}>
      <IconAlertTriangle size={16} aria-hidden />
      <span className={classes.words}>
        {notice.message}{' '}
        {mayUpgrade && !OPERATORS_MATTERS.has(notice.kind) && (
          <AnchorLink to="/billing" inherit underline="always">
            See the plans
          </AnchorLink>
        )}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Dismiss"
        onClick={() => setDismissed(notice.kind)}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
