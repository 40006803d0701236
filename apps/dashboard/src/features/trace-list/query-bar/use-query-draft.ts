import type { QueryProblem, QueryTerm } from '@throughline/contract';
import { useLayoutEffect, useRef, useState } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { useListParams } from '../filters/use-list-params.ts';
import { addQuery, listActiveTerms, removeTerm } from './query-params.ts';

interface Draft {
  readonly text: string;
  readonly caret: number;
  /** The term whose chip is being edited. */
  readonly editing?: QueryTerm | undefined;
  readonly problem?: QueryProblem;
  /** The characters to select after rendering; undefined while the user is typing. */
  readonly select?: readonly [start: number, end: number];
}

const EMPTY: Draft = { text: '', caret: 0 };

/** Manages the query being typed, and the terms that are already in the URL. */
export function useQueryDraft() {
  const view = useListParams();
  const change = useChangeView();
  const field = useRef<HTMLInputElement>(null);
  const [{ text, caret, editing, problem, select }, setDraft] = useState<Draft>(EMPTY);
  const terms = listActiveTerms(view);
  useLayoutEffect(() => {
    if (select === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(...select);
  }, [select]);

  const edit = (term: QueryTerm) => {
    const { length } = term.text;
    setDraft({ text: term.text, caret: length, editing: term, select: [0, length] });
  };
  const write = (written: string, at: number) =>
    setDraft((now) => ({ text: written, caret: at, editing: now.editing, select: [at, at] }));
  return {
    field,
    text,
    caret,
    problem,
    terms: terms.filter((term) => term.text !== editing?.text),
    type: (typed: string, at: number) =>
      setDraft((now) => ({ text: typed, caret: at, editing: now.editing })),
    write,
    edit,
    editLast: () => {
      const last = terms.at(-1);
      if (last !== undefined) edit(last);
    },
    remove: (term: QueryTerm) => {
      change(removeTerm(view, term), { replace: true });
      field.current?.focus();
    },
    /** Stops editing a chip, and leaves the chip unchanged. */
    cancel: () => setDraft((now) => (now.editing === undefined ? now : EMPTY)),
    /**
     * Called when the field loses the focus: stops editing a chip. An edited query with a problem stays in the field, since the focus may
     * have moved to the button that fixes the problem.
     */
    leave: () => setDraft((now) => (now.editing === undefined || now.problem !== undefined ? now : EMPTY)),
    fix: (replacement: string) => {
      if (problem === undefined) return;
      const before = text.slice(0, problem.start) + replacement;
      write(before + text.slice(problem.end), before.length);
    },
    /** Applies the query's filters, or shows why the query is invalid. */
    commit: (typed: string) => {
      const removed = editing === undefined ? {} : removeTerm(view, editing);
      const added = addQuery({ ...view, ...removed }, typed);
      if (added.problem === undefined) {
        change({ ...removed, ...added.change }, { replace: true });
        setDraft(EMPTY);
        return;
      }
      const { start, end } = added.problem;
      setDraft({ text: typed, caret: end, editing, problem: added.problem, select: [start, end] });
    },
  };
}
