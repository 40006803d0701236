import { formatCounted } from '@throughline/contract';
import { escapeControlCharacters, escapeControlCharactersInLines } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { CopyButton } from '../../../ui/copying/copy-button.tsx';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { type Frame, type FrameGroup, groupFrames } from '../../../visuals/steps/stack-frames.ts';
import { CodePlace } from '../editor/code-place.tsx';
import classes from './step-details.module.css';

interface StackProps {
  readonly text: string;
  /** The failed step. */
  readonly node: StepNode;
  readonly onSelect: (key: string) => void;
}

/**
 * The frames of a stack. A frame of the user's own code links to its step; frames of libraries and Node are collapsed. A button copies the
 * original stack.
 */
export function Stack({ text, node, onSelect }: StackProps) {
  const groups = useMemo(() => groupFrames(text, node), [text, node]);
  return (
    <details className={classes.stack} open={groups.some(({ kind }) => kind === 'own')}>
      <summary>Stack</summary>
      <span className={classes.copyStack}>
        <CopyButton value={text} label="Copy stack" />
      </span>
      {groups.length === 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard
        <pre tabIndex={0}>{escapeControlCharactersInLines(text)}</pre>
      ) : (
        <ol className={classes.frames} aria-label="Frames of the stack">
          {groups.map((group, at) => {
            const key = `${at}`;
            return (
              <li key={key}>
                <Group group={group} selected={node} onSelect={onSelect} />
              </li>
            );
          })}
        </ol>
      )}
    </details>
  );
}

interface GroupProps {
  readonly group: FrameGroup;
  readonly selected: StepNode;
  readonly onSelect: (key: string) => void;
}

function Group({ group, selected, onSelect }: GroupProps) {
  switch (group.kind) {
    case 'own':
      return <OwnFrame group={group} selected={selected} onSelect={onSelect} />;
    case 'text':
      return <strong>{escapeControlCharacters(group.text)}</strong>;
    case 'folded':
      return (
        <details>
          <summary>
            {formatCounted(group.frames.length, 'frame')} of{' '}
            {escapeControlCharacters(group.packages.join(', '))}
          </summary>
          {group.frames.map((frame, place) => {
            const key = `${place}`;
            return (
              <p key={key} className="mono">
                {escapeControlCharacters(writeFrame(frame))}
              </p>
            );
          })}
        </details>
      );
  }
}

interface OwnFrameProps {
  readonly group: Extract<FrameGroup, { readonly kind: 'own' }>;
  readonly selected: StepNode;
  readonly onSelect: (key: string) => void;
}

function OwnFrame({ group: { frame, node, path }, selected, onSelect }: OwnFrameProps) {
  const name = escapeControlCharacters(frame.name ?? 'top level');
  return (
    <>
      {node === undefined || node === selected ? (
        <strong className="mono">{name}</strong>
      ) : (
        <button type="button" className="mono" title="Go to step" onClick={() => onSelect(node.key)}>
          {name}
        </button>
      )}{' '}
      <CodePlace file={path} line={frame.line} />
    </>
  );
}

function writeFrame({ name, file, line }: Frame): string {
  return name === undefined ? `${file}:${line}` : `${name} ${file}:${line}`;
}
