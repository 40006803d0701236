/** Redaction rules of SDK and server. See `redaction/README.md`. */
export { isCardNumber } from './redaction/cards.ts';
export { noteSecret } from './redaction/derived-texts.ts';
export { EchoSearch } from './redaction/echoes.ts';
export { isCount, SAY_NOTHING } from './redaction/forms.ts';
export { HiddenTexts } from './redaction/hidden-texts.ts';
export type { NameVerdict } from './redaction/names.ts';
export { Redactor, type RedactRules, redactValue } from './redaction/redactor.ts';
export {
  characterSigns,
  DIGIT_SIGN,
  FREE_SIGN,
  mayBeginSecret,
  mayBeName,
  mayHoldSecret,
  WIDE_SIGN,
} from './redaction/signs.ts';
export { type RoleOfKey, roleOfKey } from './redaction/structure.ts';
export { REDACTED_TEXT } from './redaction/text.ts';
export { redactService, redactStepFields, redactTraceHead, StepIds } from './redaction/trace-fields.ts';
