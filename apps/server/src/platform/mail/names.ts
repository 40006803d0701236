/**
 * Maximum length of a name in a mail; longer names are truncated. Enough for a person or an organization, but too short to smuggle in a
 * message.
 */
const MAX_NAME_LENGTH = 40;

/**
 * Sanitizes a user-supplied name for a mail to someone else: limits its length, and removes markup and everything that mail programs turn
 * into links (URLs, addresses, phone numbers). Letters of all scripts, numbers of up to six digits, spaces and punctuation of names remain.
 */
export function formatNameInMail(name: string): string {
  const plain = name
    .normalize('NFC')
    // A dot remains after an initial or an abbreviation, but never between two words.
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

/**
 * Formats captured text for a mail. An attacker can choose the text, so mail programs must not turn any of it
 * into a link.
 */
export function formatCapturedInMail(text: string): string {
  return text.replace(/:\/\//g, ' ').replace(/[.\u3002\uff0e\uff61](?=\S)/g, '. ');
}

/** Formats a time such as `2026-11-30T08:00:00.000Z` for a mail, to the minute. */
export function formatTimeInMail(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
