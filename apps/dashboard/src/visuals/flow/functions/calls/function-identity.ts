import type { StepType } from '@throughline/contract';
import { identifyCall } from '../../../steps/analysis/call-identity.ts';
import type { StepNode } from '../../../steps/analysis/step-forest.ts';

/** Calls that leave the process have no function of their own: their name is what they ask. */
const OUTSIDE: ReadonlySet<StepType> = new Set(['database', 'http', 'cache', 'queue']);

/** A number, a UUID or another long id within a path or a query. */
const ID =
  /(?<![\w-])(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{16,})(?![\w-])/gi;

/** The same text for calls of one function, and for queries and requests of one shape. */
export function identifyFunction(node: StepNode): string {
  const { stepType, stepName } = node.step;
  return OUTSIDE.has(stepType) ? `${stepType} ${formatShape(stepName)}` : identifyCall(node);
}

/** The name of a query or request without its ids: `GET shop/orders/17` becomes `GET shop/orders/:id`. */
function formatShape(name: string): string {
  return name.replace(/\?.*$/s, '').replaceAll(ID, ':id');
}

/** The name of a step's function; of a call that leaves the process, its shape where it stands for several. */
export function nameFunction({ step }: StepNode, calls: number): string {
  return calls > 1 && OUTSIDE.has(step.stepType) ? formatShape(step.stepName) : step.stepName;
}
