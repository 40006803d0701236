import type { StepType } from '@throughline/contract';
import { identifyCall } from '../../../steps/analysis/call-identity.ts';
import type { StepNode } from '../../../steps/analysis/step-forest.ts';

/** Calls that leave the process have no function, so their query or request identifies them. */
const OUTSIDE: ReadonlySet<StepType> = new Set(['database', 'http', 'cache', 'queue']);

/** A number, UUID or other long id within a path or query. */
const ID =
  /(?<![\w-])(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{16,})(?![\w-])/gi;

/** Returns the same key for all calls of a function, and for all queries and requests of the same shape. */
export function identifyFunction(node: StepNode): string {
  const { stepType, stepName } = node.step;
  return OUTSIDE.has(stepType) ? `${stepType} ${formatShape(stepName)}` : identifyCall(node);
}

/** Returns the name of a query or request with its ids replaced: `GET shop/orders/17` becomes `GET shop/orders/:id`. */
function formatShape(name: string): string {
  return name.replace(/\?.*$/s, '').replaceAll(ID, ':id');
}

/**
 * Returns the name of a step's function. For several calls that leave the process, returns the shape of their query or request, with ids
 * replaced.
 */
export function nameFunction({ step }: StepNode, calls: number): string {
  return calls > 1 && OUTSIDE.has(step.stepType) ? formatShape(step.stepName) : step.stepName;
}
