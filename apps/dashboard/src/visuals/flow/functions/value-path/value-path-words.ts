import { formatCount } from '@throughline/contract';
import type { CallGraph } from '../calls/call-graph.ts';
import { describeFunction } from '../calls/function-words.ts';
import type { PathPlace, ValueEdge, ValuePass } from './value-path.ts';

/** The sentence about an arrow describes at most this number of passes of the value. */
const MAX_PASSES = 3;
/** A function's card shows the numbers of at most this many of the function's places in the path of the value. */
const MAX_NUMBERS = 3;
/** Maximum length of a function's name in a sentence, because the name of a query is its whole SQL statement. */
const MAX_NAME = 80;

export interface ValueEdgeWords {
  /** The text next to the arrow: "customer.id as buyer, equal text". */
  readonly label: string;
  /** For assistive technology: "Place 3: parameter buyer of saveOrder, from parameter customer.id of placeOrder, equal text". */
  readonly sentence: string;
}

export function describeValueEdge({ byStep }: CallGraph, { passes }: ValueEdge): ValueEdgeWords {
  const nameOwner = ({ at }: PathPlace) => {
    if (typeof at === 'string') return `the ${at}`;
    const called = byStep.get(at);
    return called === undefined ? at.step.stepName : shorten(describeFunction(called).name);
  };
  const sentences = passes
    .slice(0, MAX_PASSES)
    .map(
      (pass) =>
        `Place ${formatCount(pass.receiver.number)}: ${pass.receiver.what} of ${nameOwner(pass.receiver)}, from ${pass.giver.what} of ${nameOwner(pass.giver)}, ${describeHow(pass)}`,
    );
  const more = passes.length - sentences.length;
  if (more > 0) sentences.push(`${formatCount(more)} more`);
  const [first] = passes;
  return {
    label:
      first === undefined ? '' : `${describePass(first)}${passes.length > 1 ? ` ×${passes.length}` : ''}`,
    sentence: sentences.join('; '),
  };
}

function describePass(pass: ValuePass): string {
  const { giver, receiver } = pass;
  const names = giver.name === receiver.name ? giver.name : `${giver.name} as ${receiver.name}`;
  return `${names}, ${describeHow(pass)}`;
}

/** Describes how it is known that a place has the value: of the giver and the receiver, uses the place that is less certain. */
function describeHow({ giver, receiver, isPassed }: ValuePass): string {
  const { how } = giver.doubt > receiver.doubt ? giver : receiver;
  return isPassed ? how : `${how}, later in time`;
}

/** Formats the numbers of a function's places: "2, 5", or "2, 5, 6, …" if there are too many for a card. */
export function formatNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MAX_NUMBERS).map(formatCount);
  return [...shown, ...(numbers.length > MAX_NUMBERS ? ['…'] : [])].join(', ');
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
}
