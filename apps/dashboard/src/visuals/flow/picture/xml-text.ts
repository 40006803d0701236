/** Characters that XML forbids: control characters were already written out, lone surrogates and two code points were not. */
const NOT_IN_XML = /[\u{FFFE}\u{FFFF}]/gu;

/** A text as it stands in XML. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
