import type { IngestProject } from '../../projects/index.ts';
import type { GrantedQuota, UsageFeature } from '../../usage/index.ts';
import type { Batch, BatchTrace } from '../batch/batch.ts';
import { type BatchAnswer, countRejections, withRejections } from '../batch/batch-answer.ts';

export interface NewTrace {
  readonly batch: Batch;
  readonly trace: BatchTrace;
}

/** The traces of a group that fit into their accounts' monthly quotas. */
export interface FittingTraces {
  readonly fitting: readonly NewTrace[];
  /** The granted quota, by account. */
  readonly granted: ReadonlyMap<IngestProject['accountId'], GrantedQuota>;
  /** The traces that do not fit into the quota, by batch. */
  readonly refused: ReadonlyMap<Batch, readonly BatchTrace[]>;
}

/** Reserves quota for the traces to be stored. Accepts the first traces of each account up to its quota. */
export async function fitQuota(
  usage: Pick<UsageFeature, 'reserve'>,
  traces: readonly NewTrace[],
): Promise<FittingTraces> {
  const wanted = [...Map.groupBy(traces, ({ batch }) => batch.project.accountId).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ quota: first.batch.project, traces: own.length }];
  });
  const granted = wanted.length === 0 ? new Map<never, never>() : await usage.reserve(wanted);
  const left = new Map([...granted].map(([account, reservation]) => [account, reservation.traces]));
  const fitting: NewTrace[] = [];
  const refused = new Map<Batch, BatchTrace[]>();
  for (const one of traces) {
    const { accountId } = one.batch.project;
    const room = left.get(accountId) ?? 0;
    if (room > 0) {
      left.set(accountId, room - 1);
      fitting.push(one);
      continue;
    }
    const others = refused.get(one.batch);
    if (others === undefined) refused.set(one.batch, [one.trace]);
    else others.push(one.trace);
  }
  return { fitting, granted, refused };
}

/** Adds to a batch's response the rejections of the traces that did not fit into the quota. */
export function withoutRefused(
  { answer, project }: Pick<Batch, 'answer' | 'project'>,
  refused: readonly BatchTrace[],
  usage: Pick<UsageFeature, 'exceeded'>,
): BatchAnswer {
  if (refused.length === 0) return answer;
  const { message } = usage.exceeded(project);
  const rejected = refused.map(({ index }) => ({ index, code: 'quota_exceeded' as const, message }));
  return withRejections(answer, rejected);
}

/** Returns true if no trace of a batch was accepted, and at least one was rejected because the month's quota is used up. */
export function isAllOverQuota(answer: BatchAnswer): boolean {
  return answer.accepted === 0 && countRejections(answer).has('quota_exceeded');
}
