/** Characters that XML forbids. Control characters are escaped before; `toWellFormed` replaces lone surrogates. */
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
