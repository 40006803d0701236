import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** The long functions that are shown whole, by file and line. */
interface WholeFunctions {
  readonly shown: ReadonlySet<string>;
  readonly show: (key: string) => void;
}

const NONE: WholeFunctions = { shown: new Set(), show: () => undefined };
const Context = createContext(NONE);

/** Remembers which functions are shown whole while the page is open, in all views of a trace. */
export function WholeFunctionsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(NONE.shown);
  const value = useMemo(
    () => ({ shown, show: (key: string) => setShown((before) => new Set([...before, key])) }),
    [shown],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export function useWholeFunctions(): WholeFunctions {
  return useContext(Context);
}

/** Returns the key of a function, which identifies the function by its file and its first line. */
export function buildFunctionKey(file: string | null, line: number): string {
  return `${line} ${file ?? ''}`;
}
