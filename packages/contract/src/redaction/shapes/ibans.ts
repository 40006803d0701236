import { isCapital, isDigit, isWordCharacter, SPACE } from '../texts/characters.ts';
import type { Part } from '../texts/scan.ts';

/** Countries whose IBANs are found, by the length of an IBAN. Some countries of the registry (ISO 13616) are missing. */
const LENGTHS = new Map<string, number>(
  (
    [
      [15, 'NO'],
      [16, 'BE'],
      [18, 'DK,FI,FO,GL,NL'],
      [19, 'MK,SI'],
      [20, 'AT,BA,EE,KZ,LT,LU,XK'],
      [21, 'CH,HR,LI,LV'],
      [22, 'BG,BH,CR,DE,GB,GE,IE,ME,RS,VA'],
      [23, 'AE,GI,IL,IQ'],
      [24, 'AD,CZ,ES,MD,PK,RO,SA,SE,SK,TN,VG'],
      [25, 'PT'],
      [26, 'IS,TR'],
      [27, 'FR,GR,IT,MC,MR,SM'],
      [28, 'AL,AZ,BY,CY,DO,GT,HU,LB,PL'],
      [29, 'BR,EG,PS,QA,UA'],
      [30, 'JO,KW,MU'],
      [31, 'MT,SC'],
      [32, 'LC'],
    ] as const
  ).flatMap(([length, countries]) => countries.split(',').map((country) => [country, length] as const)),
);

/** Finds an IBAN whose check digits begin at `at`: `DE89370400440532013000`. Spaces can separate groups of four characters. */
export function findIban(text: string, at: number): Part | undefined {
  const start = at - 2;
  if (start < 0 || !isCapital(text.charCodeAt(at - 1)) || !isCapital(text.charCodeAt(start)))
    return undefined;
  if (isWordCharacter(text.charCodeAt(start - 1)) || !isDigit(text.charCodeAt(at + 1))) return undefined;
  const length = LENGTHS.get(text.slice(start, at));
  if (length === undefined) return undefined;
  let number = '';
  let end = start;
  for (; number.length < length; end++) {
    const code = text.charCodeAt(end);
    if (code === SPACE && number.length % 4 === 0) continue;
    if (!isDigit(code) && !isCapital(code)) return undefined;
    number += text.charAt(end);
  }
  return !isWordCharacter(text.charCodeAt(end)) && isChecked(number) ? { start, end } : undefined;
}

/**
 * True if the check digits are right: the number, with its first four characters moved to the end and letters read as 10 to 35, is 1 modulo
 * 97.
 */
function isChecked(number: string): boolean {
  let rest = 0;
  for (let at = 0; at < number.length; at++) {
    const code = number.charCodeAt((at + 4) % number.length);
    rest = isDigit(code) ? (rest * 10 + code - 0x30) % 97 : (rest * 100 + code - 55) % 97;
  }
  return rest === 1;
}
