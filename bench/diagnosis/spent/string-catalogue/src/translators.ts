import { setTimeout as wait } from 'node:timers/promises';

export interface Translator {
  readonly id: string;
  readonly locales: readonly string[];
}

const translators: Translator[] = [
  { id: 'anke', locales: ['de'] },
  { id: 'paulo', locales: ['pt', 'es'] },
  { id: 'mieke', locales: ['nl', 'de'] },
  { id: 'sofia', locales: ['it'] },
];

export async function findTranslator(id: string): Promise<Translator> {
  await wait(2);
  const translator = translators.find((other) => other.id === id);
  if (!translator) throw Object.assign(new Error('unknown translator'), { statusCode: 401 });
  return translator;
}
