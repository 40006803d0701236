import { isStateWord } from '../../shapes/plausible.ts';
import type { Part } from '../../texts/scan.ts';
import { toMatchedPart } from '../matched-part.ts';

const STATED =
  /^["'`]?\s(?:with|has|had|having|received|got) (?:(?:the|an|a) )?(?:invalid )?value:? (["'`])([^"'`\r\n‹]{3,128})\1/;

/** The value after the reason of a refusal: `"password" must be longer, received "X"`. */
const RECEIVED =
  /^["'`]?[^"'`\r\n‹]{1,90}?\b(?:received|got|provided|given|found|but was):?\s(["'])([^"'`\s‹]{3,128})\1/i;

/** Finds the value in a message of a validator: `"password" with value "X" fails to match`. */
export function findStated(text: string, end: number): Part | undefined {
  const rest = text.slice(end, end + 240);
  const found = STATED.exec(rest) ?? RECEIVED.exec(rest);
  return isStateWord(found?.[2] ?? '') ? undefined : toMatchedPart(end, found, found?.[2]);
}

const NAMED =
  /^,?\s(?:is forbidden|(?:was |is |could )?(?:not |not be )?found|is missing|missing|does(?:n't| not) exist|already exists|(?:was |has been |is )?(?:not )?(?:created|deleted|removed|mounted|modified|configured|unchanged|patched|replaced|synced|labeled)|in namespace|but (?:found|got))\b/;

/** True if the words after a quoted text show that the text names a thing, and is not a secret: `"shop-db" not found`. */
export function isNamed(text: string, at: number): boolean {
  return NAMED.test(text.slice(at, at + 64));
}
