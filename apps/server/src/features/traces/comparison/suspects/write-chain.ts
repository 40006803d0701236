import type { ComparisonStatement } from '@throughline/contract';
import { flatten } from '../call-history.ts';
import type { ProducedValue } from '../cause/call-flow.ts';
import { readResult } from '../compare-values.ts';
import { isEqual } from '../judge-difference.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';
import { type ChainContext, listProducers } from './failure-chain.ts';

const MAX_LINKS = { before: 2, after: 1 } as const;
const MAX_TEXT = 60;

/**
 * Extends a statement about a failure with other functions that values passed through: before the statement, the functions that computed
 * the values that the statement's function used; after the statement, a function that passed the result on to the function that threw.
 * Leaves out functions whose result a successful call also returned.
 */
export function addChain(statement: ComparisonStatement, context: ChainContext): ComparisonStatement {
  const { flow } = context;
  const thrower = flow.findThrower();
  const step = flow.find(statement.step);
  if (thrower === undefined || step === undefined) return statement;
  const isNew = (link: ProducedValue) => !isUsual(link, context);
  const before = listProducers(step, context).filter(isNew).slice(0, MAX_LINKS.before).reverse();
  const chain = listProducers(thrower, context);
  const at = chain.findIndex((link) => link.step === step);
  const after = (at < 0 ? [] : chain.slice(0, at)).filter(isNew).slice(-MAX_LINKS.after).reverse();
  const isSaid = (text: string) => statement.text.includes(text);
  const write = (links: readonly ProducedValue[]) => links.map(writeLink).filter((text) => !isSaid(text));
  return { ...statement, text: [...write(before), statement.text, ...write(after)].join(', then ') };
}

function isUsual({ step, path, value }: ProducedValue, { history }: ChainContext): boolean {
  return history
    .list(step)
    .some((call) =>
      flatten(readResult(call)).some((leaf) => isEqual(leaf.path, path) && leaf.value === value),
    );
}

function writeLink({ step, value, path }: ProducedValue): string {
  const text = writeSide(value);
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  const place = path.length === 0 ? '' : ` as \`${path.join('.')}\``;
  return `\`${nameStep(step)}\` returned ${short}${place}`;
}
