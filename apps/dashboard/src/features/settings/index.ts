export { ActionButton } from './action-button.tsx';
export { type Outcome, OutcomeNotice, toOutcome } from './outcome.tsx';
