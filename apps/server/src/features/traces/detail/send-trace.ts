import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../platform/http/errors.ts';
import { handled, sendJson } from '../../../platform/http/serve.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import type { PartsRead } from '../trace-parts-store.ts';
import { traceAnswer, traceAnswerPieces } from './answer.ts';
import { MAX_SMALL_BYTES, type ReadingPlaces, readUnlessTooLarge } from './reading-places.ts';
import { sendPieces } from './send-pieces.ts';
import { SingleReadings } from './single-readings.ts';
import { type FindTrace, findTrace, findTraceHead, findTracePart } from './single-trace-store.ts';
import { findWholeTrace, stepOfTrace, stepPagesOfTrace, type WholeTrace } from './steps.ts';

/** Parts to read with a trace. */
export interface AskedOfTrace {
  readonly values: boolean;
  readonly parts: PartsRead;
}

export const EVERYTHING: AskedOfTrace = { values: true, parts: 'whole' };

export function readAsked(query: {
  readonly values: string;
  readonly parts?: string | undefined;
}): AskedOfTrace {
  const values = query.values === 'true';
  return { values, parts: values && query.parts !== 'small' ? 'whole' : 'small' };
}

/** The trace to read, and the reply to send it with. */
export interface ReadTarget {
  /** Reads from the trace. @throws AppError `not_found`, `forbidden` */
  readonly read: <Found>(find: FindTrace<Found>, from?: TraceStore) => Promise<Found>;
  /** Identifies the reader, whose reads of large traces are queued. */
  readonly owner: string;
  readonly reply: FastifyReply;
}

type Sent = Promise<typeof handled>;

export interface TraceSender {
  /** Sends a trace. Calls `onFound` before the response begins. */
  trace(target: ReadTarget, asked: AskedOfTrace, onFound?: () => void): Sent;
  part(target: ReadTarget, part: Parameters<typeof findTracePart>[3]): Sent;
  step(target: ReadTarget, stepId: string): Sent;
}

/**
 * Builds the sender. A small response is read and sent in one piece. A request for a large response waits in the queue before the response
 * is read. A large trace is sent in pieces.
 */
export function createTraceSender(store: TraceStore, large: ReadingPlaces): TraceSender {
  const small = boundResults(store, MAX_SMALL_BYTES);
  const readings = new SingleReadings();

  const sendLarge = async ({ read, owner, reply }: ReadTarget, asked: AskedOfTrace, onFound: () => void) => {
    const leave = await large.enter(owner);
    try {
      const trace = await read((...where) => findTrace(...where, asked.parts));
      onFound();
      const steps = await stepPagesOfTrace(store, trace, asked);
      reply.type(JSON_TYPE);
      sendPieces(reply, traceAnswerPieces(trace, steps), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };

  /**
   * Sends one string. If the string is too large for the first, bounded read, the request waits in the queue. Then the request reads the
   * string again without the bound, and counts as a concurrent read until the string is sent.
   */
  const sendText = async (
    { owner, reply }: ReadTarget,
    read: (from: TraceStore) => Promise<string>,
  ): Promise<typeof handled> => {
    const text = await readUnlessTooLarge(read(small));
    if (text !== undefined) return sendJson(reply, text);
    const leave = await large.enter(owner);
    try {
      const pieces = Readable.from([await read(store)]);
      reply.type(JSON_TYPE);
      sendPieces(reply, pieces, leave);
      return handled;
    } catch (error) {
      leave();
      throw error;
    }
  };

  return {
    async trace(target, asked, onFound = () => {}) {
      const whole = await target.read<WholeTrace | typeof TOO_LARGE>(async (from, projects, id) => {
        const key = `${target.owner} ${id} ${asked.values} ${asked.parts}`;
        const reading = () => findWholeTrace(from, projects, id, asked);
        return readings.read(key, reading, TOO_LARGE);
      }, small);
      if (whole === TOO_LARGE) {
        await sendLarge(target, asked, onFound);
        return handled;
      }
      onFound();
      return sendJson(target.reply, traceAnswer(whole.trace, whole.steps));
    },
    part: (target, part) =>
      sendText(target, async (from) => {
        const json = await target.read((...where) => findTracePart(...where, part, 'whole'), from);
        return json === '' ? '{}' : `{"value":${json}}`;
      }),
    step: (target, stepId) =>
      sendText(target, async (from) => {
        const trace = await target.read(findTraceHead);
        const step = await stepOfTrace(from, trace, stepId);
        if (step === undefined) throw new AppError('not_found');
        return `{"step":${step}}`;
      }),
  };
}

const TOO_LARGE = 'too large';
const JSON_TYPE = 'application/json; charset=utf-8';
