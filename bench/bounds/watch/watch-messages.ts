import { z } from 'zod';

const Command = z.discriminatedUnion('type', [
  /** `apiKey` belongs to the other project, whose small traces are sent continuously. */
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

/** Measurements since the last `begin` message. `acknowledged` counts since the last `watch` message. */
export const WatchReport = z.object({
  /** The longest time without a response to `GET /api/health/live`. */
  silenceMs: z.number(),
  /** CPU time of the server's main thread during `silenceMs`, the longest time without a response. */
  silenceCpuMs: z.number(),
  /** The longest time without a response of an idle server, which shows the delay that a busy machine adds. */
  machineSilenceMs: z.number(),
  /** Durations of the other project's requests. For a request without a response, the time since the request was sent. */
  otherMs: z.array(z.number()),
  otherRefused: z.number(),
  /** Number of requests whose connection ended without a response. */
  otherLost: z.number(),
  /** Number of acknowledged traces of the other project. */
  acknowledged: z.number(),
  peakBytes: z.number(),
  /** True if the server was killed because it used more memory than this machine has to spare. */
  endedForMemory: z.boolean(),
});
export type WatchReport = z.infer<typeof WatchReport>;
