/** Characters that XML forbids: control characters are already escaped, but lone surrogates and two code points are not. */
const NOT_IN_XML = /[\u{FFFE}\u{FFFF}]/gu;

/** Escapes a string for XML. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
