/**
 * Gives the browser's language a form that `Intl` takes. Chromium names it after the system's locale, and on a Linux without one that is `en-US@posix`,
 * at which `new Intl.NumberFormat(navigator.language)` throws: uPlot does that as it loads, and no chart's page would open.
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
