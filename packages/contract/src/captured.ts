export { findWords, readStepWords, type StepWords, searchedWords } from './captured/step-words.ts';
export { type ChildLabel, hasParts, partsOf, type ValueChild } from './captured/value-children.ts';
export { type Properties, shapeOf } from './captured/value-shape.ts';
export { formWords, nameOf, ownText, pathText } from './captured/value-words.ts';
export * from './references.ts';
