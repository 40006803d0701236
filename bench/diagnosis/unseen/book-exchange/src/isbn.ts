function normalize(text: string): string {
  return text.replace(/[^0-9X]/g, '');
}

const valueOf = (character: string): number => (character === 'X' ? 10 : Number(character));

function checkDigit13(digits: string): string {
  const sum = [...digits.slice(0, 12)].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

function isValid(isbn: string): boolean {
  if (isbn.length === 13) return checkDigit13(isbn) === isbn[12];
  if (isbn.length !== 10) return false;
  const sum = [...isbn].reduce((total, character, index) => total + valueOf(character) * (10 - index), 0);
  return sum % 11 === 0;
}

export function toIsbn13(text: string): string {
  const isbn = normalize(text);
  if (!isValid(isbn)) throw Object.assign(new Error(`${text} is not an ISBN`), { status: 400 });
  if (isbn.length === 13) return isbn;
  const digits = `978${isbn.slice(0, 9)}`;
  return digits + checkDigit13(digits);
}
