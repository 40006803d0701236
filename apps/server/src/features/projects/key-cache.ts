import type { IngestAnswer, PlanId, PlanKind } from '@throughline/contract';
import type { RedactRules } from '@throughline/contract/redaction';
import type { Clock } from '../../platform/clock.ts';
import { type ControlStore, planInForce } from '../../platform/control-store/index.ts';
import type { OrganizationId, ProjectId, UserId } from '../../platform/ids.ts';
import { hashOfKey } from './keys.ts';
import { findByKeyHash, type ProjectRow } from './store.ts';

const CHANNEL = 'api_keys_changed';
/** Told in place of a project's id. */
const PLANS = 'plans';
/** Beyond this a key is looked up again, should a notice have been lost. */
const MAX_AGE_MS = 10_000;
const MAX_KEYS = 20_000;

/** Where a key writes, and under which plan. */
export interface IngestProject {
  readonly projectId: ProjectId;
  readonly accountId: UserId | OrganizationId;
  readonly plan: PlanId;
  readonly kind: PlanKind;
  /** From then on nothing more is accepted under this plan; null where the account has no subscription. */
  readonly accessEndsAt: Date | null;
  /** When a period of its billing began: its months are counted from there. */
  readonly periodAnchor: Date;
  /** Settings that each answer sends to the project's services; undefined if the project sets none. */
  readonly settings: IngestAnswer['settings'];
  /** Its own redaction rules; undefined where it has none. */
  readonly redaction: RedactRules | undefined;
}

interface Known {
  readonly project: IngestProject | undefined;
  readonly endsAt: Date | null;
  readonly readAtMs: number;
}

/** Keys by their bearer's word: kept in memory, since every batch of traces asks, and dropped on every server when one changes. */
export interface KeyCache {
  /** Undefined: unknown, ended, or no key at all. */
  find(apiKey: string): Promise<IngestProject | undefined>;
  /** Drops all keys of a project, on every server. */
  changed(projectId: ProjectId): Promise<void>;
  /** Drops all keys, on every server: what some account pays for has changed. */
  plansChanged(): Promise<void>;
  /** Calls `listener` after any server said that a project's keys or settings have changed, or that it is gone. */
  onChanged(listener: (projectId: string) => void): void;
}

export async function createKeyCache(control: ControlStore, clock: Clock): Promise<KeyCache> {
  const known = new Map<string, Promise<Known>>();
  /** Counts changes: a row that was read before a change must not be cached after it. */
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
      project: row === undefined ? undefined : ingestProject(row, clock.now()),
      endsAt: row?.endsAt ?? null,
      readAtMs: clock.now().getTime(),
    };
  };
  const remember = (hash: string): Promise<Known> => {
    const reading = read(hash);
    known.set(hash, reading);
    reading.catch(() => {
      if (known.get(hash) === reading) known.delete(hash);
    });
    const [oldest] = known.keys();
    if (known.size > MAX_KEYS && oldest !== undefined) known.delete(oldest);
    return reading;
  };

  return {
    async find(apiKey) {
      const hash = hashOfKey(apiKey);
      if (hash === undefined) return undefined;
      const nowMs = clock.now().getTime();
      const kept = known.get(hash);
      let key = await (kept ?? remember(hash));
      if (nowMs - key.readAtMs > MAX_AGE_MS) {
        // The first of several concurrent callers reads an expired entry again for all.
        const newer = known.get(hash);
        key = await (newer === undefined || newer === kept ? remember(hash) : newer);
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

function ingestProject(
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
