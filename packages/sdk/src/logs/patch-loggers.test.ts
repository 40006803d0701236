import { expect, test } from 'vitest';
import { runRecording } from '../record/async/work-context.ts';
import { defaultLimits } from '../record/capture/limits.ts';
import { Recording } from '../record/recording.ts';
import { patchWinston } from './patch-loggers.ts';

class Logger {
  readonly entries: unknown[] = [];

  write(entry: unknown): void {
    this.entries.push(entry);
  }

  isLevelEnabled(): boolean {
    return true;
  }
}

/** Logs a line in a recorded request. Returns the name of the line's step. */
async function nameLine(message: string): Promise<string | undefined> {
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const logger = new Logger();
  await runRecording(recording, async () => logger.write({ level: 'info', message }));
  expect(logger.entries).toHaveLength(1);
  return recording.finish().flow[0]?.stepName;
}

patchWinston(Logger);

test('the name of a log line’s step shows no part of a secret that is cut in two', async () => {
  const before = 'order A1 of the shop was not paid; '.repeat(3);
  const name = await nameLine(`${before}ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2 was refused`);
  expect(name).toBe(`info: ${before}‹reda`.replace(/‹reda$/, '…'));
  expect(await nameLine(`${before}db://shop:Habicht-22@db.example/shop was refused`)).not.toContain('Habi');
});

test('a long line without secrets is cut to 120 characters', async () => {
  expect(await nameLine('word '.repeat(60))).toBe(`${`info: ${'word '.repeat(60)}`.slice(0, 120)}…`);
});
