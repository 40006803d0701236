import type { IncomingHttpHeaders } from 'node:http';
import type { IngestAnswer } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import { giveBack } from '../../platform/give-back.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { IngestProject } from '../projects/index.ts';
import type { UsageFeature } from '../usage/index.ts';
import { admitBatch } from './admit.ts';
import { ByteBudget } from './byte-budget.ts';
import { type Batch, type CommitDeps, commitBatches } from './commit.ts';
import { DiskWatch } from './disk-watch.ts';
import { isAllOverQuota } from './fit-quota.ts';
import { GroupCommit } from './group-commit.ts';
import { countIngest } from './ingest-counts.ts';
import { parseBody, parseLines } from './parse-body.ts';
import { planBody, receiveBody, type SentMessage } from './receive-body.ts';
import { createRedactors } from './redactors.ts';
import { hashOfBatchKey } from './trace-identity.ts';
import { Turns } from './turns.ts';

export interface IngestDeps extends Omit<CommitDeps, 'spansStored'> {
  readonly byApiKey: (apiKey: string) => Promise<IngestProject | undefined>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly usage: Pick<UsageFeature, 'make' | 'stored' | 'failed' | 'refuseFull' | 'exceeded'>;
}

/** A form in which traces come. */
export interface Intake<Type extends string> {
  readonly contentTypes: readonly Type[];
  /** @throws AppError where nothing of the body can be accepted */
  readonly admit: (bytes: Buffer, contentType: Type, admission: Admission) => Promise<Batch>;
}

/** Under what a body is read. */
export interface Admission {
  readonly project: IngestProject;
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
}

export interface Ingest {
  /**
   * The project that the key among a call's headers opens.
   * @throws AppError `invalid_api_key`
   */
  projectOf(headers: IncomingHttpHeaders): Promise<IngestProject>;
  /**
   * Takes a batch in. Resolves with its answer once all that was accepted is stored.
   * @throws AppError
   */
  accept(message: SentMessage, project: IngestProject, batchKey: string | undefined): Promise<IngestAnswer>;
  /** The same for a body of another form. */
  take<Type extends string>(
    message: SentMessage,
    project: IngestProject,
    intake: Intake<Type>,
  ): Promise<IngestAnswer>;
  /** Counts a batch of which nothing was taken: once, by the door that says so to its sender. */
  refused(error: unknown): void;
  /** Refuses new batches from now on and resolves when those taken in are answered. */
  drain(): Promise<void>;
}

/** Bytes of batches in memory, packed and unpacked, before senders are told to wait. */
const MAX_BYTES_IN_FLIGHT = 96 * 1024 * 1024;
const GROUP = { windowMs: 200, maxGroupBytes: 8 * 1024 * 1024, maxSharedBytes: 2 * 1024 * 1024 } as const;

export function createIngest(deps: IngestDeps): Ingest {
  const { clock, log } = deps;
  const budget = new ByteBudget(MAX_BYTES_IN_FLIGHT);
  const redactors = createRedactors();
  const disk = new DiskWatch(log);
  /** Batches that wait for their answer, and since when; the oldest one first. */
  const open = new Map<Promise<unknown>, number>();
  const counts = countIngest(deps.metrics, budget, () => open.values().next().value);
  const group = new GroupCommit<Batch, IngestAnswer>({
    ...GROUP,
    ownerOf: ({ project }) => project.projectId,
    commit(batches) {
      const bytes = batches.reduce((sum, batch) => sum + sizeOf(batch), 0);
      return counts.timed({ batches: batches.length, bytes }, () =>
        commitBatches({ ...deps, spansStored: counts.spansStored }, batches),
      );
    },
  });
  const turns = new Turns();
  let draining = false;

  const receive = async <Type extends string>(
    message: SentMessage,
    project: IngestProject,
    { contentTypes, admit }: Intake<Type>,
  ): Promise<IngestAnswer> => {
    const plan = planBody(message.headers, contentTypes);
    const share = budget.open(project.projectId);
    /** The body is given back with this call: while the batch waits for its group, only its rows are in memory. */
    const read = (bytes: Buffer): Promise<Batch> => {
      const redactor = redactors(project.redaction);
      // A parsed body takes several times its text: only one at a time is in memory.
      return turns.run(project.projectId, async () => {
        try {
          return await admit(bytes, plan.contentType, { project, redactor, nowMicros: clock.nowMicros() });
        } finally {
          giveBack(bytes);
        }
      });
    };
    try {
      const batch = await read(await receiveBody(message, plan, share));
      const bytes = sizeOf(batch);
      share.settle(bytes);
      if (bytes === 0 && batch.key === undefined) return batch.answer;
      // Only when its answer is known: until then its rows may be inserted once more.
      return await group.submit(batch, bytes).finally(() => giveRowsBack(batch));
    } finally {
      share.settle(0);
    }
  };

  /** @throws AppError where nothing is taken of a project now, whatever it sends */
  const refuseAtOnce = (project: IngestProject) => {
    if (draining) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 });
    if (project.accessEndsAt !== null && project.accessEndsAt <= clock.now())
      throw new AppError('trial_expired');
    deps.usage.refuseFull(project);
  };

  const notStored = (error: unknown, { projectId }: IngestProject): AppError => {
    const refusal = disk.refusal(error);
    if (refusal !== undefined) return refusal;
    log.error({ err: error, projectId }, 'a batch of traces was not stored');
    return new AppError('unavailable', 'The traces could not be stored. Send them again.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  };

  const answered = async (answer: Promise<IngestAnswer>, project: IngestProject): Promise<IngestAnswer> => {
    open.set(answer, performance.now());
    try {
      return await answer;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw notStored(error, project);
    } finally {
      open.delete(answer);
    }
  };

  const take: Ingest['take'] = async (message, project, intake) => {
    refuseAtOnce(project);
    const told = await answered(receive(message, project, intake), project);
    if (isAllOverQuota(told)) throw deps.usage.exceeded(project);
    if (told.accepted > 0) disk.wrote();
    counts.answered(told);
    return told;
  };

  return {
    async projectOf(headers) {
      const apiKey = apiKeyOf(headers);
      const project = apiKey === undefined ? undefined : await deps.byApiKey(apiKey);
      if (project === undefined) throw new AppError('invalid_api_key');
      return project;
    },
    take,
    refused: counts.refused,
    async accept(message, project, batchKey) {
      const answer = await take(message, project, {
        contentTypes: ['application/json', 'application/x-ndjson'],
        admit: (bytes, contentType, admission) =>
          admitBatch(
            contentType === 'application/json' ? parseBody(bytes, admission.redactor) : parseLines(bytes),
            {
              ...admission,
              batchKey: batchKey === undefined ? undefined : hashOfBatchKey(batchKey),
            },
          ),
      });
      const { settings } = project;
      // Beside the stored answer: a batch that is sent again hears what holds now.
      return settings === undefined ? answer : { ...answer, settings };
    },
    async drain() {
      draining = true;
      await Promise.allSettled(open.keys());
      await group.close();
    },
  };
}

function giveRowsBack({ traces, spans }: Batch): void {
  for (const { traceRow, stepRows } of traces) {
    giveBack(traceRow);
    giveBack(stepRows);
  }
  for (const { rows } of spans) giveBack(rows);
}

function sizeOf({ traces, spans }: Batch): number {
  const ofTraces = traces.reduce((sum, { traceRow, stepRows }) => sum + traceRow.length + stepRows.length, 0);
  return spans.reduce((sum, { rows }) => sum + rows.length, ofTraces);
}

/** The project's key among a request's headers. */
function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header.trim();
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
