/** New errors whose messages differ from request to request. One error must not become many findings. */
import { DIFFERING, drawParts, type Message, NAMING, QUOTING } from '../messages.ts';
import { isLive, NEW_ERROR, type Otlp, type Plant } from '../problem.ts';
import { between, pick, type Random } from '../random.ts';
import { hoursAgo, pickBusy } from './latency.ts';

function plantDiffering(
  kind: string,
  messages: readonly Message[],
  makeOtlp?: (random: Random) => Otlp,
): Plant {
  return (project, random) => {
    const endpoint = pickBusy(project, random);
    const startMs = hoursAgo(project, between(random, 24, 80));
    const { words, say } = pick(random, messages);
    return {
      truth: {
        kind,
        endpoints: [endpoint],
        names: [words],
        words: NEW_ERROR,
        onlyOne: true,
        differing: DIFFERING,
        startMs,
        toleranceHours: 24,
      },
      ...(makeOtlp !== undefined && { otlp: makeOtlp(random) }),
      change(request, chance) {
        const isIt = request.endpoint === endpoint && isLive(request, startMs);
        if (isIt && chance() < 0.15) request.failure = { status: 500, message: say(drawParts(chance)) };
      },
    };
  };
}

/** Some instrumentations of OpenTelemetry leave the status text empty. Others set it to the reason phrase of the HTTP status. */
const STATUS_TEXTS = ['', 'Internal Server Error'];

export const MESSAGES_THAT_DIFFER: Readonly<Record<string, Plant>> = {
  errorWithQuotes: plantDiffering('errorWithQuotes', QUOTING),
  errorWithNames: plantDiffering('errorWithNames', NAMING),
  otlpError: plantDiffering('otlpError', QUOTING, (random) => ({ statusText: pick(random, STATUS_TEXTS) })),
};
