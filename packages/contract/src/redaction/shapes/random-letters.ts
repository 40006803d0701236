/**
 * For each letter of the alphabet, the letters that can follow it in words. Counted over 15,000 distinct words of code and prose. Rare
 * pairs are left out; together they make up 3.5 % of the counted pairs.
 */
const FOLLOWERS = `
  bcdfgiklmnprstuvwy aeilorsuy acehiklorstuy adegilorsuy abcdefgilmnopqrstuvwxy aefilorstuy aeghilnorsu aeiortu abcdefglmnoprstvxz eos aeins adeilopstuvy
  abeilmopsu acdefgiklnopstuvy abcdefgiklmnoprstuvwx aehiloprstu u abcdefgiklmnoprstuvy acefhiklmnopstuwy acefhilmoprstuwy abcdefgilmnprst aeio aehinors
  ceipt eimnps ae
`
  .trim()
  .split(/\s+/);

const usual = new Uint8Array(26 * 26);
for (const [first, followers] of FOLLOWERS.entries())
  for (const letter of followers) usual[first * 26 + letter.charCodeAt(0) - 97] = 1;

const SHAPE = /^[A-Za-z]+(?:[_.-][A-Za-z]+)*$/;
const MIXED = /[a-z].*[A-Z]|[A-Z]{2}.*[a-z]/;
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const MIN_LENGTH = 8;

/** True for random letters without digits, as in keys: `KgrVCsmzXDZamOwpq`, but not `verifyAccessToken`. */
export function hasRandomLetters(token: string): boolean {
  if (token.length < MIN_LENGTH || !SHAPE.test(token) || !MIXED.test(token)) return false;
  const parts = token.match(PARTS) ?? [];
  let letters = 0;
  let pairs = 0;
  let unusual = 0;
  for (const part of parts) {
    letters += part.length;
    pairs += part.length - 1;
    for (let at = 1; at < part.length; at++) if (!isUsual(part, at)) unusual++;
  }
  if (unusual >= 2 && unusual >= pairs / 5) return true;
  const average = letters / parts.length;
  return (parts.length >= 4 && average < 2.6) || (parts.length >= 3 && unusual > 0 && average < 3.2);
}

function isUsual(part: string, at: number): boolean {
  const first = (part.charCodeAt(at - 1) | 0x20) - 97;
  return usual[first * 26 + (part.charCodeAt(at) | 0x20) - 97] === 1;
}
