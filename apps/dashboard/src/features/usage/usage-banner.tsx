import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { mayDo, routes } from '@throughline/contract';
import { useState } from 'react';
import { api } from '../../shell/api.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { AnchorLink } from '../../ui/layout/links.tsx';
import classes from './usage-banner.module.css';

/** Polling interval in milliseconds: the month's count changes with every traced request. */
const REFRESH_MS = 60_000;

/** Notices about problems that a larger plan does not solve: the server's operator must act. */
const OPERATORS_MATTERS: ReadonlySet<string> = new Set(['disk_full', 'traces_damaged', 'clock_ahead']);

/** Warns that most or all of the monthly quota is used, that the trial is over, or that the server needs its operator. */
export function UsageBanner() {
  const { organization } = useSignedIn();
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => api.call(routes.usage.read, { signal }),
    select: (answer) => answer.usage.notices[0],
    refetchInterval: REFRESH_MS,
    // A missing banner is harmless, so a failed request is not retried.
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
            See plans
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
