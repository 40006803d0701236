import { saveTranslation, type Entry } from './catalogue.ts';
import { review, type Finding } from './review.ts';
import type { Translator } from './translators.ts';

export interface Submission {
  readonly locale: string;
  readonly text: string;
}

function assertSpeaks({ id, locales }: Translator, locale: string): void {
  if (!locales.includes(locale)) {
    throw Object.assign(new Error(`${id} does not translate to ${locale}`), { statusCode: 403 });
  }
}

function assertPublishable(entry: Entry, findings: Finding[]): void {
  const blocking = findings.filter(({ blocks }) => blocks);
  if (blocking.length === 0) return;
  const reasons = blocking.map(({ message }) => message).join(', ');
  throw Object.assign(new Error(`${entry.key} cannot be published: ${reasons}`), { statusCode: 422 });
}

export async function submit(entry: Entry, { locale, text }: Submission, translator: Translator) {
  assertSpeaks(translator, locale);
  const findings = review(entry, text.trim());
  assertPublishable(entry, findings);
  const translated = await saveTranslation(entry, locale, text.trim());
  return { key: entry.key, locale, translated, hints: findings.map(({ message }) => message) };
}
