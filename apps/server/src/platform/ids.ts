import { hash } from 'node:crypto';
import { v7, validate } from 'uuid';

/** A UUID whose type names the kind of object that it identifies, so that ids of different kinds cannot be confused. */
type Branded<Kind extends string> = string & { readonly __kind: Kind };

export type UserId = Branded<'user'>;
export type SessionId = Branded<'session'>;
/** Code that accepts a session's id also accepts an access token's id, but not the other way round. */
export type AccessTokenId = SessionId & { readonly __credential: 'access token' };
export type OrganizationId = Branded<'organization'>;
export type ProjectId = Branded<'project'>;
export type InvitationId = Branded<'invitation'>;
export type ShareLinkId = Branded<'share link'>;
export type SavedViewId = Branded<'saved view'>;
export type AlertRuleId = Branded<'alert rule'>;
export type AlertIncidentId = Branded<'alert incident'>;
export type AlertDeliveryId = Branded<'alert delivery'>;
type AnyId =
  | UserId
  | SessionId
  | AccessTokenId
  | OrganizationId
  | ProjectId
  | InvitationId
  | ShareLinkId
  | SavedViewId
  | AlertRuleId
  | AlertIncidentId
  | AlertDeliveryId;

/** Creates an id. Later ids sort after earlier ones. */
export function createId<Id extends AnyId>(): Id {
  return v7() as Id;
}

/**
 * Derives a UUID from a text and a time. The same text and time give the same UUID; UUIDs of later times sort after UUIDs of earlier times.
 */
export function deriveId(text: string, msecs: number): string {
  const hex = hash('sha256', text);
  // Bits 128 to 159 of the hash, as a signed number.
  const seq = Number.parseInt(hex.slice(32, 40), 16) | 0;
  return v7({ msecs, random: Buffer.from(hex.slice(0, 32), 'hex'), seq });
}

/** Parses an id from outside; undefined if the string is not a UUID. */
export function readId<Id extends AnyId>(text: string): Id | undefined {
  return validate(text) ? (text.toLowerCase() as Id) : undefined;
}

/** Reads the time at which an id was created, in epoch ms: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7). */
export function readIdTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
