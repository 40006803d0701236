/** Longer names are cut: enough for a person or an organization, too short for a message of its own. */
const MAX_NAME_LENGTH = 40;

/**
 * A name that somebody typed, for a mail to somebody else: bounded, and without anything that mail programs turn into links (addresses,
 * phone numbers) or markup. Letters of all scripts, single digits, spaces and the marks of names stay.
 */
export function formatNameInMail(name: string): string {
  const plain = name
    .normalize('NFC')
    // A dot stays where it ends an initial or an abbreviation, never between two words.
    .replace(/\.(?!\s|$)/g, ' ')
    .replace(/[^\p{L}\p{M}\p{Nd} .,'’&-]/gu, ' ')
    .replace(/\d(?:[ .-]*\d){6,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...plain];
  if (letters.length <= MAX_NAME_LENGTH) return plain;
  return `${letters
    .slice(0, MAX_NAME_LENGTH - 1)
    .join('')
    .trim()}…`;
}
