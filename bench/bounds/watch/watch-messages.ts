import { z } from 'zod';

const Command = z.discriminatedUnion('type', [
  /** Another project's key, with which small traces are sent all the time. */
  z.object({ type: z.literal('watch'), url: z.string(), pid: z.number(), apiKey: z.string() }),
  z.object({ type: z.literal('echo'), url: z.string() }),
  z.object({ type: z.literal('rest') }),
  z.object({ type: z.literal('begin') }),
  z.object({ type: z.literal('report') }),
]);
export type Command = z.infer<typeof Command>;

export function isCommand(value: unknown): value is Command {
  return Command.safeParse(value).success;
}

/** Measurements since the last `begin`; `acknowledged` since the last `watch`. */
export const WatchReport = z.object({
  /** The longest time without an answer to `GET /api/health/live`. */
  silenceMs: z.number(),
  /** Processor time of the server's main thread during it. */
  silenceCpuMs: z.number(),
  /** The same of a server that does nothing else: what the machine adds. */
  machineSilenceMs: z.number(),
  /** Times of another project's requests; of those without an answer, until now. */
  otherMs: z.array(z.number()),
  otherRefused: z.number(),
  /** Requests whose connection ended without an answer. */
  otherLost: z.number(),
  /** Traces of the other project that were acknowledged. */
  acknowledged: z.number(),
  peakBytes: z.number(),
  /** The server was ended because it took more memory than this machine can give. */
  endedForMemory: z.boolean(),
});
export type WatchReport = z.infer<typeof WatchReport>;
