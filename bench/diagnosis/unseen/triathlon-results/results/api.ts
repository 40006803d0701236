import { limitsOf } from './races.ts';
import { ranking, record, type Report } from './ranking.ts';

type Handler = (race: string, text: string) => Promise<unknown>;

const routes: [RegExp, Handler][] = [
  [/^POST \/races\/([a-z]+)\/results$/, (race, text) => record(race, JSON.parse(text) as Report)],
  [/^GET \/races\/([a-z]+)\/ranking$/, (race) => ranking(race)],
  [/^GET \/races\/([a-z]+)$/, (race) => limitsOf(race)],
];

export async function api(line: string, text: string): Promise<{ status: number; body: unknown }> {
  for (const [pattern, handler] of routes) {
    const match = pattern.exec(line);
    if (!match) continue;
    try {
      return { status: 200, body: await handler(match[1] ?? '', text) };
    } catch (error) {
      const { status = 500, message } = error as Error & { status?: number };
      return { status, body: { error: message } };
    }
  }
  return { status: 404, body: { error: 'not found' } };
}
