import { setTimeout as wait } from 'node:timers/promises';

export interface Entry {
  readonly key: string;
  readonly source: string;
  readonly maxLength: number;
  readonly translations: Record<string, string>;
}

const entries = new Map<string, Entry>();

function seed(key: string, source: string, maxLength = 60): void {
  entries.set(key, { key, source, maxLength, translations: {} });
}

seed('upload.done', '{count} files saved in {folder}');
seed('upload.failed', '{name} could not be saved.');
seed('share.invite', '{sender} shares {folder} with you', 80);
seed('quota.left', 'You have {amount} left.');
seed('login.title', 'Welcome back!', 24);

export async function entryOf(key: string): Promise<Entry> {
  await wait(4);
  const entry = entries.get(key);
  if (!entry) throw Object.assign(new Error(`there is no string ${key}`), { statusCode: 404 });
  return entry;
}

export async function saveTranslation(entry: Entry, locale: string, text: string): Promise<number> {
  await wait(3);
  entry.translations[locale] = text;
  return Object.keys(entry.translations).length;
}
