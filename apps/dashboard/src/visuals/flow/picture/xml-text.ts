/** Characters that XML forbids, except control characters, which callers escape, and lone surrogates, which `toWellFormed` replaces. */
const NOT_IN_XML = /[\u{FFFE}\u{FFFF}]/gu;

/** Escapes a string for XML. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
