export { findWords, readStepWords, type StepWords, searchedWords } from './captured/step-words.ts';
export { type ChildLabel, hasParts, listParts, type ValueChild } from './captured/value-children.ts';
export { classifyValue, type Properties } from './captured/value-shape.ts';
export { formatName, formWords, ownText, pathText } from './captured/value-words.ts';
export * from './traces/references.ts';
