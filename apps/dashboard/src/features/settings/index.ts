export { ActionButton } from './action-button.tsx';
export { failed, type Outcome, OutcomeNotice } from './outcome.tsx';
