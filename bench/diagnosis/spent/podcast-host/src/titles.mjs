const PLAIN_TITLE = /^([\p{L}\p{N}]+[ ,.:'-]{0,2})+$/u;
const OTHER_CHARACTERS = /[^\p{L}\p{N} ,.:'-]+/gu;

/** Some players show only titles of letters, digits and common punctuation. */
export function isPlainTitle(title) {
  return PLAIN_TITLE.test(title);
}

export function simplify(title) {
  return title.replace(OTHER_CHARACTERS, ' ').replace(/ {2,}/g, ' ').trim();
}
