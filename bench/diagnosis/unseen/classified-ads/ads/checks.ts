const plainTitle = /^(?:[\p{L}\d]+[,.'-]? ?)+[!?]?$/u;

const unwanted = ['casino', 'replica', 'miracle'];

export function isPlain(title: string): boolean {
  return plainTitle.test(title);
}

export function isShouting(title: string): boolean {
  const letters = title.replace(/[^\p{L}]/gu, '');
  return letters.length > 8 && letters === letters.toUpperCase();
}

export function unwantedWords(text: string): string[] {
  const lower = text.toLowerCase();
  return unwanted.filter((word) => lower.includes(word));
}
