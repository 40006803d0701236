export {
  escapeControlCharacters,
  escapeControlCharactersInLines,
  INVISIBLE,
} from './captured/escape-control-characters.ts';
export { parseBody } from './captured/parse-body.ts';
export { addKeys, type KeyedPart } from './captured/part-keys.ts';
export {
  findWords,
  readStepWords,
  type StepWords,
  splitSearch,
} from './captured/step-words.ts';
export { type ChildLabel, hasParts, listParts, type ValueChild } from './captured/value-children.ts';
export {
  type DifferenceLimits,
  describeKind,
  findValueAt,
  findValueDifferences,
  isNotCaptured,
  type ValueDifference,
  type ValueDifferences,
} from './captured/value-difference.ts';
export { classifyValue, type Properties } from './captured/value-shape.ts';
export {
  LINE_LENGTH,
  summarise,
  summariseInLine,
  type ValueSummary,
  type ValueTone,
} from './captured/value-summary.ts';
export {
  formatFormWords,
  formatName,
  formatOwnText,
  formatPath,
} from './captured/value-words.ts';
export * from './traces/references.ts';
