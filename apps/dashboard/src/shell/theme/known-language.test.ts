import { expect, it } from 'vitest';
import { nameKnownLanguage } from './known-language.ts';

const named = (language: string, ...languages: string[]) => {
  const browser = { language, languages };
  nameKnownLanguage(browser);
  return browser.language;
};

it.each(['en-US', 'de', 'zh-Hant-TW', 'ar-EG-u-nu-latn'])(
  'the valid language %s is not changed',
  (language) => {
    expect(named(language, language)).toBe(language);
  },
);

it("an invalid language is replaced by the browser's next valid language", () => {
  expect(named('en-US@posix', 'en-US@posix', 'C', 'fr-FR', 'de')).toBe('fr-FR');
});

it.each(['en-US@posix', 'C', '', 'de_DE'])(
  'English replaces %j if the browser lists no valid language',
  (language) => {
    const taken = named(language, language);
    expect(taken).toBe('en-US');
    expect(new Intl.NumberFormat(taken).format(1234.5)).toBe('1,234.5');
  },
);
