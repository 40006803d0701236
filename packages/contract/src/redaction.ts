/** Redaction rules of the SDK and the server. See `redaction/README.md`. */

export type { RedactRules } from './redact-rules.ts';
export { DECIDED_BY_VALUE, isCounted, type NameVerdict } from './redaction/names/verdicts.ts';
export { hideQueryCopies } from './redaction/query-copies.ts';
export { Redactor, redactValue } from './redaction/redactor.ts';
export { isCardNumber } from './redaction/shapes/cards.ts';
export { mayBeNamedBy } from './redaction/shapes/plausible.ts';
export {
  characterSigns,
  DIGIT_SIGN,
  FREE_SIGN,
  mayBeginName,
  mayBeginSecret,
  mayBeName,
  mayHoldSecret,
  mayLabel,
  mayNameItem,
  WIDE_SIGN,
} from './redaction/shapes/signs.ts';
export { countOpenBraces } from './redaction/source/count-open-braces.ts';
export { type CodeToken, listCodeTokens } from './redaction/source/list-code-tokens.ts';
export { isCount, WITHOUT_CONTENT } from './redaction/syntax/forms.ts';
export type { StatementValues } from './redaction/syntax/queries/statement-secrets.ts';
export { REDACTED_TEXT } from './redaction/texts/characters.ts';
export { CUT_MARGIN } from './redaction/texts/cut-shown.ts';
export { noteSecret } from './redaction/texts/derived-texts.ts';
export { EchoSearch } from './redaction/texts/echoes.ts';
export { HiddenTexts } from './redaction/texts/hidden-texts.ts';
export { redactService, redactStepFields, redactTraceHead, StepIds } from './redaction/trace-fields.ts';
export { isShownText } from './redaction/values/naming.ts';
export { findKeyRole, type RoleOfKey } from './redaction/values/structure.ts';
