import { setTimeout as wait } from 'node:timers/promises';

export async function retry<Result>(task: () => Promise<Result>, attempts: number): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      if (attempt >= attempts) throw error;
      await wait(25 * 2 ** (attempt - 1));
    }
  }
}
