import {
  type Invitation,
  type InvitationOffer,
  mayDo,
  type PendingInvitation,
  TEXTS,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlDb, type ControlStore, violatesConstraint } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { type InvitationId, type OrganizationId, readId } from '../../platform/ids.ts';
import { formatNameInMail, type Mailer } from '../../platform/mail/index.ts';
import { createToken, hashToken, type Sealer } from '../../platform/start/secrets.ts';
import type { Actor, Audit } from '../audit/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Orgs } from '../orgs/index.ts';
import {
  deleteExpired,
  deleteInvitation,
  extendInvitation,
  findAddress,
  findByToken,
  findPending,
  type InvitationRow,
  insertInvitation,
  isMember,
  takeByToken,
} from './store.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;

export interface Invitations {
  /** Returns the public part of an invitation. @throws AppError `invitation_invalid` */
  offer(token: string): Promise<InvitationOffer>;
  /**
   * Accepts an invitation and deletes it. The actor, whose address is `email`, joins the organization.
   * @throws AppError `invitation_invalid`, `wrong_account`, `already_member`, `plan_limit`, `cancel_subscription_first`
   */
  redeem(tx: ControlDb, token: string, actor: Actor, email: string): Promise<void>;
}

export interface InvitationsService extends Invitations {
  invite(
    actor: Actor,
    organizationId: OrganizationId,
    given: { name?: string | undefined; email: string; role: 'admin' | 'developer' },
  ): Promise<Invitation>;
  resend(actor: Actor, organizationId: OrganizationId, id: string): Promise<Invitation>;
  revoke(actor: Actor, organizationId: OrganizationId, id: string): Promise<void>;
  pending(caller: Caller, of: string): Promise<PendingInvitation[]>;
}

export function createInvitationsService(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly billing: Billing;
  readonly orgs: Orgs;
  readonly mail: Mailer;
  readonly sealer: Sealer;
  readonly publicUrl: () => string;
}): InvitationsService {
  const { clock, audit, billing, sealer, mail } = deps;
  const { db } = deps.control;

  const buildLink = (row: InvitationRow) =>
    `${deps.publicUrl()}/invite/${sealer.open(row.sealedToken, row.id)}`;
  const describe = (row: InvitationRow): Invitation => ({
    id: row.id,
    name: row.name,
    email: row.email,
    role: readOfferedRole(row.role),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    link: buildLink(row),
  });
  const expiry = () => new Date(clock.now().getTime() + DAYS * DAY_MS);
  const findOne = async (tx: ControlDb, organizationId: OrganizationId, id: InvitationId) => {
    const row = (await findPending(tx, { organizationId }, clock.now())).find((one) => one.id === id);
    if (row === undefined) throw new AppError('not_found');
    return row;
  };
  const post = (tx: ControlDb, actor: Actor, row: InvitationRow) => {
    const inviter = formatNameInMail(row.inviterName ?? '') || 'Somebody';
    const organization = formatNameInMail(row.organizationName) || 'an organization';
    const role = readOfferedRole(row.role) === 'admin' ? 'an admin' : 'a developer';
    return mail.send(tx, {
      to: row.email,
      name: row.name,
      subject: 'An organization invited you to Throughline',
      paragraphs: [`${inviter} invited you to join “${organization}” on Throughline as ${role}.`],
      action: { label: 'Accept the invitation', url: buildLink(row) },
      note: `The link works for ${DAYS} days. If you did not expect this invitation, ignore this email.`,
      limit: { kind: 'invitation', sender: actor.userId, organization: row.organizationId },
    });
  };

  return {
    async invite(actor, organizationId, { name, email, role }) {
      const token = createToken();
      return db.transaction(async (tx) => {
        const now = clock.now();
        await deleteExpired(tx, organizationId, now);
        await billing.takeSeat(tx, organizationId);
        if (await isMember(tx, organizationId, email))
          throw new AppError('already_member', TEXTS.alreadyMember);
        const id = await tx
          .transaction((inner) =>
            insertInvitation(
              inner,
              {
                organizationId,
                name: name ?? '',
                email,
                role,
                tokenHash: hashToken(token),
                inviterId: actor.userId,
                createdAt: now,
                expiresAt: expiry(),
              },
              (place) => sealer.seal(token, place),
            ),
          )
          .catch((error: unknown) => {
            throw violatesConstraint(error, 'invitations_one_an_address')
              ? new AppError('already_invited')
              : error;
          });
        const row = await findOne(tx, organizationId, id);
        await post(tx, actor, row);
        await audit.record(tx, { organizationId, action: 'member.invited', actor, target: email });
        return describe(row);
      });
    },
    resend: (actor, organizationId, given) =>
      db.transaction(async (tx) => {
        const id = readId<InvitationId>(given);
        const times = { now: clock.now(), expiresAt: expiry() };
        if (id === undefined || !(await extendInvitation(tx, organizationId, id, times)))
          throw new AppError('not_found');
        const row = await findOne(tx, organizationId, id);
        await post(tx, actor, row);
        await audit.record(tx, {
          organizationId,
          action: 'member.invitation_resent',
          actor,
          target: row.email,
        });
        return describe(row);
      }),
    revoke: (actor, organizationId, given) =>
      db.transaction(async (tx) => {
        const id = readId<InvitationId>(given);
        const target = id === undefined ? undefined : await deleteInvitation(tx, organizationId, id);
        if (target === undefined) throw new AppError('not_found');
        await audit.record(tx, { organizationId, action: 'member.invitation_revoked', actor, target });
      }),
    async pending(caller, of) {
      const now = clock.now();
      if (of.includes('@')) {
        const email = of.toLowerCase();
        const own = await findAddress(db, caller.userId);
        if (own?.email !== email) throw new AppError('not_found');
        // Anybody can register with any address, so an address's invitations are shown only after the address is confirmed.
        if (own.emailVerifiedAt === null) return [];
        return (await findPending(db, { email }, now)).map((row) => ({
          ...describe(row),
          organizationName: row.organizationName,
          link: null,
        }));
      }
      const own = caller.organization;
      if (own === null || !mayDo(own.role, 'members.manage') || readId<OrganizationId>(of) !== own.id)
        throw new AppError('not_found');
      return (await findPending(db, { organizationId: own.id }, now)).map((row) => ({
        ...describe(row),
        organizationName: row.organizationName,
      }));
    },
    async offer(token) {
      const row = await findByToken(db, hashToken(token), clock.now());
      if (row === undefined) throw buildInvalidError();
      return {
        organizationName: row.organizationName,
        inviterName: row.inviterName,
        name: row.name,
        email: row.email,
        role: readOfferedRole(row.role),
        expiresAt: row.expiresAt.toISOString(),
      };
    },
    async redeem(tx, token, actor, email) {
      const taken = await takeByToken(tx, hashToken(token), clock.now());
      if (taken === undefined) throw buildInvalidError();
      if (taken.email !== email) throw new AppError('wrong_account');
      // The deleted invitation no longer takes a seat. There can still be no free seat if the plan has become smaller in the meantime.
      await billing.takeSeat(tx, taken.organizationId);
      await deps.orgs.join(tx, actor, taken.organizationId, taken.role);
      await audit.record(tx, {
        organizationId: taken.organizationId,
        action: 'member.joined',
        actor,
        target: email,
      });
    },
  };
}

function buildInvalidError(): AppError {
  return new AppError('invitation_invalid', TEXTS.invitationInvalid);
}

/** Returns the role that an invitation offers. The owner's role cannot be offered, because it can only be transferred. */
function readOfferedRole(role: InvitationRow['role']): 'admin' | 'developer' {
  return role === 'admin' ? 'admin' : 'developer';
}
