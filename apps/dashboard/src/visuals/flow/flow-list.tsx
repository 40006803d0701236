import { findFirstNode, hasMarked } from '../steps/analysis/bundle-repeats.ts';
import { StepTypeIcon } from '../steps/step-type.tsx';
import { describeEntry } from './entry-words.ts';
import classes from './flow-graph.module.css';
import type { FlowGraphData } from './flow-types.ts';
import { FollowedMark } from './followed-mark.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

interface FlowListProps {
  readonly graph: FlowGraphData;
  readonly marked: ReadonlySet<string>;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onShowAll: (owner: string) => void;
}

/** The graph's cards as an ordered list: the same information for people who cannot use the graph. */
export function FlowList({ graph, marked, selected, onSelect, onShowAll }: FlowListProps) {
  return (
    <ol className={classes.list} aria-label="Flow as a list">
      {graph.nodes.map((card) => {
        if (card.kind === 'entry') {
          const words = describeEntry(card.entry);
          const { depth, step } = findFirstNode(card.entry);
          return (
            <li key={card.id}>
              <button
                type="button"
                className={classes.item}
                style={{ '--level': depth }}
                aria-current={card.id === selected}
                onClick={() => onSelect(card.id)}
              >
                <span className={classes.number}>{words.number}</span>
                <StepTypeIcon type={step.stepType} />
                <span className={classes.name}>{words.name}</span>
                <span className={classes.type}>{words.type}</span>
                {words.times !== undefined && <span className={classes.times}>{words.times}</span>}
                <OutcomeMark outcome={words.outcome} />
                {hasMarked(card.entry, marked) && <FollowedMark />}
                <span className={classes.grow} />
                <span className={classes.duration}>{words.duration}</span>
              </button>
            </li>
          );
        }
        if (card.kind === 'more') {
          return (
            <li key={card.id}>
              <button type="button" className={classes.item} onClick={() => onShowAll(card.owner)}>
                Show {card.count.toLocaleString('en-US')} more
              </button>
            </li>
          );
        }
        return null;
      })}
    </ol>
  );
}
