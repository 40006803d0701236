import { Stack } from '@mantine/core';
import type { ShareLink } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useState } from 'react';
import { MethodBadge } from '../../ui/layout/badges.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import rows from '../../ui/tables/row-list.module.css';
import { EndTime } from '../../ui/time/end-time.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { ActionButton, type Outcome, OutcomeNotice } from '../settings/index.ts';
import { useRevokeLink } from './queries.ts';
import classes from './share-links.module.css';

export interface LinkRowsProps {
  readonly links: readonly ShareLink[];
  /** Accessible name of the list. */
  readonly label: string;
  readonly mayRevoke: boolean;
  readonly onRevoked?: (id: string) => void;
}

/**
 * List of the share links to one trace: which values each link shows, who created the link, when it expires, and, if `mayRevoke` is true, a
 * button to revoke it.
 */
export function LinkRows({ links, label, mayRevoke, onRevoked }: LinkRowsProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <Stack gap="xs">
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      {links.length > 0 && (
        <ul className={rows.list} aria-label={label}>
          {links.map((link) => (
            <li key={link.id} className={`${rows.row} ${classes.row}`}>
              <div className={`${rows.about} ${classes.about}`}>
                <div>Values {link.values}</div>
                <div className={rows.dim}>
                  {link.createdBy ?? 'Deleted user'} · created <Timestamp at={link.createdAt} />
                  {'\u00a0· expires '}
                  <EndTime at={link.expiresAt} />
                </div>
              </div>
              {mayRevoke && <RevokeButton link={link} onRevoked={onRevoked} onOutcome={setOutcome} />}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

interface RevokeButtonProps {
  readonly link: ShareLink;
  readonly onRevoked: ((id: string) => void) | undefined;
  readonly onOutcome: (outcome: Outcome) => void;
}

export function RevokeButton({ link, onRevoked, onOutcome }: RevokeButtonProps) {
  const revoke = useRevokeLink(link);
  return (
    <ActionButton
      size="compact-sm"
      action={revoke}
      done={() => {
        onRevoked?.(link.id);
        return { type: 'success', message: 'The link was revoked.' };
      }}
      onOutcome={onOutcome}
    >
      Revoke
    </ActionButton>
  );
}

/** The request that a share link shows, with a link to the request's page. */
export function LinkedRequest({ link: { traceId, request } }: { readonly link: ShareLink }) {
  if (request === null) return <div className={rows.dim}>The trace was deleted or has expired.</div>;
  return (
    <div className={classes.request}>
      <MethodBadge method={escapeControlCharacters(request.method)} />
      <AnchorLink to="/traces/$id" params={{ id: traceId }} className={`mono ${classes.path}`} size="sm">
        {escapeControlCharacters(request.path)}
      </AnchorLink>
    </div>
  );
}
