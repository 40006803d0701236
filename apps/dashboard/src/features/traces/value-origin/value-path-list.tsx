import { IconArrowsLeftRight } from '@tabler/icons-react';
import { formatCounted, type ValueLink, type ValueOrigin } from '@throughline/contract';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import type { Selection } from '../data/use-selection.ts';
import { describeLink } from './link-words.ts';
import classes from './value-origin.module.css';

interface ValuePathListProps {
  readonly origin: ValueOrigin;
  readonly selection: Selection;
}

/**
 * Lists the occurrences of the followed value in time order, before and after the occurrence that the user selected. Shows how many
 * occurrences were left out.
 */
export function ValuePathList({ origin, selection }: ValuePathListProps) {
  const { came, cameMore, asked, went, wentMore } = origin;
  const [first, ...nearest] = came;
  const last = wentMore > 0 ? went.at(-1) : undefined;
  const later = last === undefined ? went : went.slice(0, -1);
  const draw = (link: ValueLink, isAsked = false) => (
    <li key={JSON.stringify([link.stepId, link.place, link.path])} data-asked={isAsked || undefined}>
      <PathLink link={link} isAsked={isAsked} selection={selection} />
    </li>
  );
  return (
    <ol className={classes.path} aria-label="Path of the value">
      {first !== undefined && draw(first)}
      {cameMore > 0 && <More count={cameMore} />}
      {nearest.map((link) => draw(link))}
      {draw(asked, true)}
      {later.map((link) => draw(link))}
      {wentMore > 0 && <More count={wentMore} />}
      {last !== undefined && draw(last)}
    </ol>
  );
}

function More({ count }: { readonly count: number }) {
  return (
    <li className={classes.more} style={{ '--places': count }}>
      {formatCounted(count, 'more place')}
    </li>
  );
}

interface PathLinkProps {
  readonly link: ValueLink;
  readonly isAsked: boolean;
  readonly selection: Selection;
}

/** One occurrence of the value, linked to its step or to the tab of the request or response. */
function PathLink({ link, isAsked, selection }: PathLinkProps) {
  const change = useChangeView();
  const { view } = useViewParams();
  const { stepId, type } = link;
  const node = stepId === null ? undefined : selection.forest.byId.get(stepId);
  const { name, place, path, how } = describeLink(link);
  const isSelected = selection.selected?.kind === 'step' && selection.selected.node.step.stepId === stepId;
  const go = () => {
    if (node !== undefined) {
      selection.select(node.key);
      if (view === 'request' || view === 'response') change({ view: 'timeline' });
    } else if (stepId === null) change({ view: link.place.startsWith('response.') ? 'response' : 'request' });
  };
  return (
    <button type="button" aria-current={isSelected} onClick={go}>
      <span className={classes.number} aria-hidden />
      {type === null ? <IconArrowsLeftRight size={14} aria-hidden /> : <StepTypeIcon type={type} />}
      <span className={classes.words}>
        <span className={classes.name}>{name}</span> <span className={classes.place}>{place}</span>{' '}
        {path !== '' && <span className="mono">{path}</span>}
      </span>
      <span className={classes.how}>{isAsked ? 'this value' : how}</span>
    </button>
  );
}
