import type { IncomingMessage } from 'node:http';
import type { IngestAnswer, TraceRow } from '@throughline/contract';
import { Redactor } from '@throughline/contract/redaction';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { IngestProject } from '../projects/index.ts';
import { admitBatch } from './admit.ts';
import { ByteBudget } from './byte-budget.ts';
import { type Batch, commitBatches } from './commit.ts';
import { GroupCommit } from './group-commit.ts';
import { planBody, receiveBody } from './receive-body.ts';
import { hashOfBatchKey } from './trace-identity.ts';

export interface IngestDeps {
  readonly store: TraceStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of new traces once they are stored. */
  readonly published: (rows: readonly TraceRow[]) => void;
}

export interface Ingest {
  /**
   * Takes a batch in. Resolves with its answer once all that was accepted is stored.
   * @throws AppError
   */
  accept(
    message: IncomingMessage,
    project: IngestProject,
    batchKey: string | undefined,
  ): Promise<IngestAnswer>;
  /** Refuses new batches from now on and resolves when those taken in are answered. */
  drain(): Promise<void>;
}

/** Bytes of batches in memory, packed and unpacked, before senders are told to wait. */
const MAX_BYTES_IN_FLIGHT = 96 * 1024 * 1024;
const GROUP = { windowMs: 200, maxGroupBytes: 16 * 1024 * 1024 } as const;

export function createIngest(deps: IngestDeps): Ingest {
  const { store, clock, log, published } = deps;
  const budget = new ByteBudget(MAX_BYTES_IN_FLIGHT);
  const redactor = new Redactor();
  const group = new GroupCommit<Batch, IngestAnswer>({
    ...GROUP,
    commit: (batches) => commitBatches({ store, clock, published }, batches),
  });
  const oneAtATime = createTurns();
  const open = new Set<Promise<unknown>>();
  let draining = false;

  /** The body is let go with this call: while the batch waits for its group, only its rows are in memory. */
  const admit = (bytes: Buffer, project: IngestProject, batchKey: string | undefined): Promise<Batch> =>
    // A parsed body takes several times its text: only one at a time is in memory.
    oneAtATime(() =>
      admitBatch(bytes, {
        project,
        batchKey: batchKey === undefined ? undefined : hashOfBatchKey(batchKey),
        redactor,
        nowMicros: clock.nowMicros(),
      }),
    );

  const take = async (
    message: IncomingMessage,
    project: IngestProject,
    batchKey: string | undefined,
  ): Promise<IngestAnswer> => {
    const plan = planBody(message.headers);
    const share = budget.open();
    try {
      const batch = await admit(await receiveBody(message, plan, share), project, batchKey);
      const bytes = sizeOf(batch);
      share.settle(bytes);
      if (batch.traces.length === 0 && batch.key === undefined) return batch.answer;
      return await group.submit(batch, bytes);
    } finally {
      share.settle(0);
    }
  };

  return {
    async accept(message, project, batchKey) {
      if (draining) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 });
      if (project.trialEndsAt !== null && project.trialEndsAt <= clock.now())
        throw new AppError('trial_expired');
      const answer = take(message, project, batchKey);
      open.add(answer);
      try {
        const { settings } = project;
        // Beside the stored answer: a batch that is sent again hears what holds now.
        return settings === undefined ? await answer : { ...(await answer), settings };
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.error({ err: error, projectId: project.projectId }, 'a batch of traces was not stored');
        throw new AppError('unavailable', 'The traces could not be stored. Send them again.', {
          retryAfterSeconds: 5,
          cause: error,
        });
      } finally {
        open.delete(answer);
      }
    },
    async drain() {
      draining = true;
      await Promise.allSettled(open);
      await group.close();
    },
  };
}

function sizeOf(batch: Batch): number {
  return batch.traces.reduce((sum, { traceRow, stepRows }) => sum + traceRow.length + stepRows.length, 0);
}

/** Runs one task after the other, in the order of asking. */
function createTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(task);
    last = turn.catch(() => {});
    return turn;
  };
}
