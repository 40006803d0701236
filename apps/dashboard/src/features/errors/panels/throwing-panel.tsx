import { formatCounted, type ThrowingFunction, type ThrowingValue } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { LoadState } from '../../../ui/feedback/load-state.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { ShareRow } from '../../trace-list/index.ts';
import classes from '../errors.module.css';
import { type ErrorRange, useThrowingFunction } from '../queries.ts';
import { Panel } from './panel.tsx';

interface ThrowingPanelProps {
  readonly projectId: string;
  readonly errorId: string;
  readonly range: ErrorRange;
}

const SIDES = { inside: 'failing calls', outside: 'successful ones' } as const;

/** Lists the values that failing calls of the throwing function share, each with a link to one of the calls. */
export function ThrowingPanel({ projectId, errorId, range }: ThrowingPanelProps) {
  const query = useThrowingFunction(projectId, errorId, range);
  // An error without a failed step has no function to show.
  if (query.data === null) return null;
  return (
    <Panel title="Values in the function that threw">
      <LoadState query={query} what="values" failure="The values could not be loaded." rows={2} />
      {query.data !== undefined && <Found projectId={projectId} found={query.data} />}
    </Panel>
  );
}

function Found({ projectId, found }: { readonly projectId: string; readonly found: ThrowingFunction }) {
  const { name, file, failing, successful, values } = found;
  return (
    <>
      <p className={classes.dim}>
        <code>{escapeControlCharacters(name)}</code>
        {file !== null && ` in ${escapeControlCharacters(file)}`}: {formatCounted(failing, 'failing call')}{' '}
        compared with {formatCounted(successful, 'successful call')}.
        {values.length === 0 && ' No captured value is significantly more frequent in failing calls.'}
      </p>
      {values.length > 0 && (
        <ol className={classes.differences}>
          {values.map((value) => (
            <ValueRow
              key={`${value.part} ${value.path} ${value.value}`}
              projectId={projectId}
              value={value}
            />
          ))}
        </ol>
      )}
    </>
  );
}

function ValueRow({ projectId, value }: { readonly projectId: string; readonly value: ThrowingValue }) {
  const text = escapeControlCharacters(value.value);
  return (
    <ShareRow
      name={
        <>
          <span className="mono">{escapeControlCharacters(value.path)}</span>
          {value.part === 'localVariables' && ' (variable)'}
          {value.alsoAt.length > 0 && (
            <>
              {', also '}
              <span className="mono">{escapeControlCharacters(value.alsoAt.join(', '))}</span>
            </>
          )}
        </>
      }
      value={
        <AnchorLink
          to="/traces/$id"
          params={{ id: value.trace }}
          search={{ project: projectId, step: value.step }}
          inherit
        >
          {text}
        </AnchorLink>
      }
      title={`${text}: open a failing call`}
      shares={value}
      sides={SIDES}
      hasLongName
    />
  );
}
