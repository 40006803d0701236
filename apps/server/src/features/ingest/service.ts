import type { IncomingHttpHeaders } from 'node:http';
import type { IngestAnswer } from '@throughline/contract';
import { releaseBuffer } from '../../platform/buffers/release-buffer.ts';
import { toTransferable } from '../../platform/buffers/transferable.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { FairMutex } from '../../platform/queues/fair-mutex.ts';
import { OwnerCounts } from '../../platform/queues/owner-counts.ts';
import type { IngestProject } from '../projects/index.ts';
import type { UsageFeature } from '../usage/index.ts';
import type { Batch } from './batch/batch.ts';
import type { BatchAnswer } from './batch/batch-answer.ts';
import { estimateBatchWeight, measureBatch, releaseRows } from './batch/batch-rows.ts';
import { type CommitDeps, commitBatches } from './commit/commit.ts';
import { DiskWatch } from './commit/disk-watch.ts';
import { isAllOverQuota } from './commit/fit-quota.ts';
import { GroupCommit } from './commit/group-commit.ts';
import { countIngest } from './commit/ingest-counts.ts';
import { runWithinLimits } from './decode/json-limits.ts';
import { createRedactors } from './encode/redactors.ts';
import { hashOfBatchKey } from './encode/trace-identity.ts';
import { type Intake, NeedsWorker } from './intake/intake.ts';
import { intake as nativeIntake } from './intake/native-intake.ts';
import { FirstFailures, isReadingFailure, NOT_READABLE, UnreadableBody } from './intake/reading-failures.ts';
import { LargeBodies } from './large-bodies/large-bodies.ts';
import { Arrivals, type SentMessage } from './receive/arrivals.ts';
import { ByteBudget } from './receive/byte-budget.ts';
import { type BodyPlan, planBody } from './receive/plan-body.ts';
import { SmallBodies } from './unpack/unpack-small.ts';

export interface IngestDeps extends Omit<CommitDeps, 'spansStored'> {
  readonly byApiKey: (apiKey: string) => Promise<IngestProject | undefined>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly usage: Pick<UsageFeature, 'reserve' | 'commit' | 'release' | 'refuseFull' | 'exceeded'>;
}

/** Data about a body that is known before the body is read. */
interface Sent extends BodyPlan {
  readonly project: IngestProject;
  readonly batchKey: string | undefined;
}

/** A request's headers and unread body, or a function that waits for them; the wait is measured as part of the request. */
export type Sending = SentMessage | (() => Promise<SentMessage>);

export interface Ingest {
  /**
   * Returns the project of the API key in a request's headers.
   * @throws AppError `invalid_api_key`
   */
  projectOf(headers: IncomingHttpHeaders): Promise<IngestProject>;
  /**
   * Accepts a batch. Resolves with the response once all accepted traces are stored.
   * @throws AppError
   */
  accept(message: SentMessage, project: IngestProject, batchKey: string | undefined): Promise<IngestAnswer>;
  /** Like {@link accept}, but for a body in another format. Also returns the number of unlisted rejections. */
  take(message: Sending, project: IngestProject, intake: Intake): Promise<BatchAnswer>;
  /**
   * Counts a batch of which no trace was accepted. Only the endpoint that responds to the sender calls this function, so that each batch
   * counts once.
   */
  refused(error: unknown): void;
  /** Refuses new batches from now on. Resolves when all accepted batches have a response. */
  drain(): Promise<void>;
}

/** Limits the memory of small batches and of all arriving bodies. Batches above the limit are refused and must be sent again later. */
const MAX_BYTES_IN_FLIGHT = 80 * 1024 * 1024;
/** Limits the bytes of the bodies that wait until a worker thread reads them. Most of these bodies are still compressed. */
const MAX_LARGE_BYTES = 48 * 1024 * 1024;
/**
 * Bodies above this size can take several hundred milliseconds to read. Reading such a body pauses regularly, and smaller bodies are read
 * in the pauses.
 */
const MAX_QUICK_BYTES = 64 * 1024;
/**
 * Limits a project's concurrent requests, so that one sender cannot take all sockets. Requests above the limit are refused and can be sent
 * again after a second.
 */
const MAX_REQUESTS_A_PROJECT = 256;
const GROUP = { windowMs: 200, maxGroupBytes: 8 * 1024 * 1024, maxSharedBytes: 2 * 1024 * 1024 } as const;

export function createIngest(deps: IngestDeps): Ingest {
  const { clock, log } = deps;
  const budget = new ByteBudget(MAX_BYTES_IN_FLIGHT);
  const redactors = createRedactors();
  const disk = new DiskWatch(log);
  /** Batches without a response yet, each with its start time, oldest first. */
  const open = new Map<Promise<unknown>, number>();
  const counts = countIngest(
    deps.metrics,
    () => budget.used + largeBudget.used + large.rowBytes,
    () => open.values().next().value,
  );
  const group = new GroupCommit<Batch, BatchAnswer>({
    ...GROUP,
    ownerOf: ({ project }) => project.projectId,
    commit(batches) {
      const bytes = batches.reduce((sum, batch) => sum + measureBatch(batch), 0);
      return counts.timed({ batches: batches.length, bytes }, () =>
        commitBatches({ ...deps, spansStored: counts.spansStored }, batches),
      );
    },
  });
  const turns = new FairMutex();
  const quickTurns = new FairMutex();
  const smallBodies = new SmallBodies();
  const arrivals = new Arrivals(budget);
  const largeBudget = new ByteBudget(MAX_LARGE_BYTES);
  const large = new LargeBodies();
  const openOf = new OwnerCounts();
  let draining = false;

  const store = (batch: Batch, bytes: number): Promise<BatchAnswer> => {
    deps.spanLimits.rejected(batch.fullTraces);
    if (bytes === 0 && batch.key === undefined) return Promise.resolve(batch.answer);
    // Frees the rows only once the batch has a response, because the rows can be inserted again until then.
    return group.submit(batch, estimateBatchWeight(batch, bytes)).finally(() => releaseRows(batch));
  };

  /**
   * Reads a small body in this thread, then frees it. While the batch waits for its group, only its rows are in memory. Returns undefined,
   * and keeps the body, if a worker thread must read it.
   */
  const readSmall = (
    bytes: Buffer,
    { project, batchKey, contentType }: Sent,
    intake: Intake,
  ): Promise<Batch | undefined> => {
    const redactor = redactors(project.redaction);
    // A parsed body uses several times the memory of its JSON. Therefore at most two bodies are parsed at the same time: one larger body,
    // and one of at most `MAX_QUICK_BYTES`.
    return (bytes.length <= MAX_QUICK_BYTES ? quickTurns : turns).run(project.projectId, async () => {
      const nowMicros = clock.nowMicros();
      const failures = new FirstFailures();
      const admission = {
        project,
        redactor,
        nowMicros,
        batchKey,
        isCounted: false,
        onEventLoop: true,
        fullTraces: deps.spanLimits.fullTraces(project.projectId),
        onFailure: failures.add,
      };
      let isRead = true;
      try {
        return await runWithinLimits(intake.boundingOf(contentType)?.names, () =>
          intake.admit(bytes, contentType, admission),
        );
      } catch (error) {
        if (error instanceof NeedsWorker) {
          isRead = false;
          return undefined;
        }
        throw isReadingFailure(error)
          ? new UnreadableBody('a body could not be read', { cause: error })
          : error;
      } finally {
        if (isRead) {
          reportFailures(failures, project);
          releaseBuffer(bytes);
        }
      }
    });
  };

  const reportFailures = ({ first, further }: Omit<FirstFailures, 'add'>, { projectId }: IngestProject) => {
    for (const err of first)
      log.error(
        { err, projectId },
        'a trace could not be read, and its sender was told not to send it again',
      );
    if (further > 0) log.error({ projectId, further }, 'further traces of the same body could not be read');
  };

  const storeLarge = async (packed: Buffer, sent: Sent, { module }: Intake): Promise<BatchAnswer> => {
    const waiting = largeBudget.open(sent.project.projectId);
    waiting.take(packed.length);
    try {
      const body = {
        ...sent,
        module,
        packed: toTransferable(packed),
        nowMicros: clock.nowMicros(),
        listFullTraces: () => deps.spanLimits.fullTraces(sent.project.projectId),
      };
      const { batch, release, failures } = await large.read(body);
      const first = failures.first.map((stack) => new UnreadableBody(stack));
      reportFailures({ first, further: failures.further }, sent.project);
      waiting.settle(0);
      return await store(batch, measureBatch(batch)).finally(release);
    } finally {
      waiting.settle(0);
    }
  };

  const receive = async (sending: Sending, project: IngestProject, intake: Intake, batchKey?: string) => {
    const message = typeof sending === 'function' ? await sending() : sending;
    const plan = planBody(message.headers, intake.contentTypes);
    const share = budget.open(project.projectId);
    const sent: Sent = { ...plan, project, batchKey };
    try {
      const packed = await arrivals.read(message, share);
      const small = await smallBodies.unpack(packed, plan.encoding, {
        share,
        maxBytes: intake.maxSmallBytes,
      });
      if (small === undefined) {
        share.settle(0);
        return await storeLarge(packed, sent, intake);
      }
      const batch = await readSmall(small, sent, intake);
      if (batch === undefined) {
        share.settle(0);
        return await storeLarge(small, { ...sent, encoding: 'identity' }, intake);
      }
      const bytes = measureBatch(batch);
      share.settle(bytes);
      return await store(batch, bytes);
    } finally {
      share.settle(0);
    }
  };

  /** @throws AppError if the project cannot send any batch now */
  const refuseAtOnce = (project: IngestProject) => {
    if (draining) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 });
    if (project.accessEndsAt !== null && project.accessEndsAt <= clock.now())
      throw new AppError('trial_expired');
    deps.usage.refuseFull(project);
  };

  const notStored = (error: unknown, { projectId }: IngestProject): AppError => {
    const refusal = disk.refusal(error);
    if (refusal !== undefined) return refusal;
    if (error instanceof UnreadableBody) {
      log.error(
        { err: error, projectId },
        'a body could not be read, and its sender was told not to send it again',
      );
      return new AppError('validation_failed', `Body: ${NOT_READABLE}.`, { cause: error });
    }
    log.error({ err: error, projectId }, 'a batch of traces was not stored');
    return new AppError('unavailable', 'The traces could not be stored. Send them again.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  };

  const answered = async (answer: Promise<BatchAnswer>, project: IngestProject): Promise<BatchAnswer> => {
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

  /** @throws AppError `too_many_requests` */
  const counted = async <T>({ projectId }: IngestProject, work: () => Promise<T>): Promise<T> => {
    if (openOf.of(projectId) >= MAX_REQUESTS_A_PROJECT) {
      throw new AppError('too_many_requests', `Send at most ${MAX_REQUESTS_A_PROJECT} concurrent requests.`, {
        retryAfterSeconds: 1,
      });
    }
    openOf.add(projectId);
    try {
      return await work();
    } finally {
      openOf.remove(projectId);
    }
  };

  const take = async (sending: Sending, project: IngestProject, intake: Intake, batchKey?: string) => {
    refuseAtOnce(project);
    const answer = await counted(project, () =>
      answered(receive(sending, project, intake, batchKey), project),
    );
    if (isAllOverQuota(answer)) throw deps.usage.exceeded(project);
    if (answer.accepted > 0) disk.wrote();
    counts.answered(answer);
    return answer;
  };

  return {
    async projectOf(headers) {
      const apiKey = readApiKey(headers);
      const project = apiKey === undefined ? undefined : await deps.byApiKey(apiKey);
      if (project === undefined) throw new AppError('invalid_api_key');
      return project;
    },
    take: (message, project, intake) => take(message, project, intake),
    refused: counts.refused,
    async accept(message, project, batchKey) {
      const key = batchKey === undefined ? undefined : hashOfBatchKey(batchKey);
      const answer = await take(message, project, nativeIntake, key);
      const { settings } = project;
      // Adds the current settings to the stored response, so that a repeated batch receives the latest settings.
      return settings === undefined ? answer : { ...answer, settings };
    },
    async drain() {
      draining = true;
      await Promise.allSettled(open.keys());
      await group.close();
      await large.close();
    },
  };
}

function readApiKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header.trim();
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
