import { LINK_KINDS, type ValueLink, type ValueOrigin, type ValuePlace } from '@throughline/contract';
import type { PathPlace } from '../../../visuals/flow/functions/value-path/value-path.ts';
import type { StepForest } from '../../../visuals/steps/analysis/step-forest.ts';
import { describeLink } from './link-words.ts';

const RECEIVED: ReadonlySet<ValuePlace> = new Set(['inputs', 'parameters', 'thisContext']);

/** Lists the occurrences of a followed value in time order, with the same numbers as in the list of the path. */
export function listPathPlaces(origin: ValueOrigin, forest: StepForest): readonly PathPlace[] {
  const { came, cameMore, asked, went, wentMore } = origin;
  const before = came.length + cameMore;
  const last = before + 1 + went.length + wentMore;
  const numbered: readonly (readonly [number, ValueLink])[] = [
    ...came.map((link, index) => [index === 0 ? 1 : index + 1 + cameMore, link] as const),
    [before + 1, asked],
    ...went.map(
      (link, index) => [wentMore > 0 && index === went.length - 1 ? last : before + 2 + index, link] as const,
    ),
  ];
  return numbered.flatMap(([number, link]) => {
    const at = findOwner(link, forest);
    if (at === undefined) return [];
    const { place, path, how } = describeLink(link);
    return [
      {
        number,
        at,
        isReceived: RECEIVED.has(link.place),
        what: path === '' ? place : `${place} ${path}`,
        name: path === '' ? place : path,
        how,
        doubt: LINK_KINDS.indexOf(link.how),
      },
    ];
  });
}

function findOwner({ stepId, place }: ValueLink, forest: StepForest): PathPlace['at'] | undefined {
  if (stepId !== null) return forest.byId.get(stepId);
  return place.startsWith('response.') ? 'response' : 'request';
}
