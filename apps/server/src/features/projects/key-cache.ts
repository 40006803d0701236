import type { IngestAnswer, PlanId, PlanKind } from '@throughline/contract';
import type { RedactRules } from '@throughline/contract/redaction';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { type ControlStore, planInForce } from '../../platform/control-store/index.ts';
import type { OrganizationId, ProjectId, UserId } from '../../platform/ids.ts';
import { hashOfKey } from './keys.ts';
import { findByKeyHash, type ProjectRow } from './store.ts';

const CHANNEL = 'api_keys_changed';
/** Notification that is sent instead of a project's id when plans changed. */
const PLANS = 'plans';
/** Maximum age of a cached key. An older key is looked up again, in case a notification was lost. */
const MAX_AGE_MS = 10_000;
const MAX_KEYS = 20_000;

/** The project that a key writes to, and its plan. */
export interface IngestProject {
  readonly projectId: ProjectId;
  readonly accountId: UserId | OrganizationId;
  readonly plan: PlanId;
  readonly kind: PlanKind;
  /** When the plan ends and traces are no longer accepted; null if the account has no subscription. */
  readonly accessEndsAt: Date | null;
  /** The start of any of the account's billing periods. The account's billing months are counted from it. */
  readonly periodAnchor: Date;
  /** Settings that each ingest response sends to the project's services; undefined if the project has no settings. */
  readonly settings: IngestAnswer['settings'];
  /** The project's own redaction rules; undefined if it has none. */
  readonly redaction: RedactRules | undefined;
}

interface Known {
  readonly project: IngestProject | undefined;
  readonly endsAt: Date | null;
  readonly readAtMs: number;
}

/**
 * Finds API keys. Keys are cached in memory, because every batch of traces needs one, and are removed from the cache on all servers when
 * they change.
 */
export interface KeyCache {
  /** Returns undefined if the key is unknown, expired or malformed. */
  find(apiKey: string): Promise<IngestProject | undefined>;
  /** Removes all keys from the cache on all servers, because a project's keys or settings changed, or the project was deleted. */
  changed(projectId: ProjectId): Promise<void>;
  /** Removes all keys from the cache on all servers, because an account's plan changed. */
  plansChanged(): Promise<void>;
  /** Calls `listener` after any server reported that a project's keys or settings changed, or that the project was deleted. */
  onChanged(listener: (projectId: string) => void): void;
}

export async function createKeyCache(control: ControlStore, clock: Clock): Promise<KeyCache> {
  const known = new LRUCache<string, Promise<Known>>({ max: MAX_KEYS });
  /** Counts changes, so that a row that was read before a change is not cached after the change. */
  let changes = 0;
  const dropAll = () => {
    changes += 1;
    known.clear();
  };
  const listeners: ((projectId: string) => void)[] = [];
  const hear = (changed: string) => {
    dropAll();
    if (changed === PLANS) return;
    for (const listener of listeners) listener(changed);
  };
  await control.listen(CHANNEL, hear, dropAll);

  const read = async (hash: string): Promise<Known> => {
    const before = changes;
    const row = await findByKeyHash(control.db, hash);
    if (before !== changes) return read(hash);
    return {
      project: row === undefined ? undefined : toIngestProject(row, clock.now()),
      endsAt: row?.endsAt ?? null,
      readAtMs: clock.now().getTime(),
    };
  };
  const remember = (hash: string): Promise<Known> => {
    const reading = read(hash);
    known.set(hash, reading);
    reading.catch(() => {
      if (known.peek(hash) === reading) known.delete(hash);
    });
    return reading;
  };

  return {
    async find(apiKey) {
      const hash = hashOfKey(apiKey);
      if (hash === undefined) return undefined;
      const nowMs = clock.now().getTime();
      const cached = known.get(hash);
      let key = await (cached ?? remember(hash));
      if (nowMs - key.readAtMs > MAX_AGE_MS) {
        // If several callers find an expired entry at the same time, only the first caller reads the entry again, for all of them.
        const newer = known.get(hash);
        key = await (newer === undefined || newer === cached ? remember(hash) : newer);
      }
      const over = key.endsAt !== null && key.endsAt.getTime() <= nowMs;
      return over ? undefined : key.project;
    },
    async changed(projectId) {
      dropAll();
      await control.notify(CHANNEL, projectId);
    },
    async plansChanged() {
      dropAll();
      await control.notify(CHANNEL, PLANS);
    },
    onChanged: (listener) => void listeners.push(listener),
  };
}

function toIngestProject(
  row: NonNullable<Awaited<ReturnType<typeof findByKeyHash>>>,
  now: Date,
): IngestProject | undefined {
  const accountId = row.organizationId ?? row.userId;
  if (accountId === null) return undefined;
  return {
    projectId: row.projectId,
    accountId,
    plan: planInForce(row, now),
    kind: row.organizationId === null ? 'solo' : 'organization',
    accessEndsAt: row.accessEndsAt,
    periodAnchor: row.anchorAt ?? new Date(0),
    settings: pickSettings(row),
    redaction: toRedactRules(row),
  };
}

function pickSettings({ sampleRate, capture }: Pick<ProjectRow, 'sampleRate' | 'capture'>) {
  if (sampleRate === null && capture === null) return undefined;
  return { ...(sampleRate !== null && { sampleRate }), ...(capture !== null && { capture }) };
}

function toRedactRules({
  redactKeys: keys,
  redactPaths: paths,
}: Pick<ProjectRow, 'redactKeys' | 'redactPaths'>): RedactRules | undefined {
  return keys.length === 0 && paths.length === 0 ? undefined : { keys, paths };
}
