import type { QueryProblem, QueryTerm } from '@throughline/contract';
import { useLayoutEffect, useRef, useState } from 'react';

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

/** Reads and changes the stored terms of a query, such as the terms in the URL. */
export interface QueryStore {
  readonly terms: readonly QueryTerm[];
  /** Adds the typed terms, in place of the term `replaced`. Returns the problem of an invalid query, and then changes nothing. */
  readonly add: (typed: string, replaced: QueryTerm | undefined) => QueryProblem | undefined;
  readonly remove: (term: QueryTerm) => void;
}

/** Manages the query being typed, and the terms that are already stored. */
export function useQueryDraft({ terms, add, remove }: QueryStore) {
  const field = useRef<HTMLInputElement>(null);
  const [{ text, caret, editing, problem, select }, setDraft] = useState<Draft>(EMPTY);
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
    editing,
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
      remove(term);
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
      const found = add(typed, editing);
      if (found === undefined) {
        setDraft(EMPTY);
        return;
      }
      const { start, end } = found;
      setDraft({ text: typed, caret: end, editing, problem: found, select: [start, end] });
    },
  };
}

export type QueryDraft = ReturnType<typeof useQueryDraft>;
