/**
 * Replaces a browser language that `Intl` rejects. Chromium takes the language from the system's locale, and without a locale Linux gives
 * `en-US@posix`. With this language, `new Intl.NumberFormat(navigator.language)` throws. uPlot makes this call when it loads, so no page
 * with a chart would open.
 */
export function nameKnownLanguage(browser: Pick<Navigator, 'language' | 'languages'>): void {
  if (isKnown(browser.language)) return;
  const value = browser.languages.find(isKnown) ?? 'en-US';
  Object.defineProperty(browser, 'language', { value, configurable: true });
}

/** True for a valid BCP 47 language tag. */
function isKnown(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
