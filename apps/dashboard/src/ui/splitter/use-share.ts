import { useLocalStorage } from '@mantine/hooks';

/** The first part's width in percent of the total width. */
export interface Share {
  readonly percent: number;
  readonly least: number;
  readonly most: number;
  /** Sets the nearest allowed share. */
  set(percent: number): void;
  /** Resets the divider to its initial position. */
  reset(): void;
}

interface ShareOptions {
  /** The name under which this browser stores the share. */
  readonly name: string;
  readonly atFirst: number;
  readonly least: number;
  readonly most: number;
}

/** Returns the share that the user set with the divider in this browser. */
export function useShare({ name, atFirst, least, most }: ShareOptions): Share {
  const [stored, setStored] = useLocalStorage<number>({
    key: `split_${name}`,
    defaultValue: atFirst,
    getInitialValueInEffect: false,
  });
  const clamp = (percent: number) => Math.min(most, Math.max(least, percent));
  return {
    percent: Number.isFinite(stored) ? clamp(stored) : atFirst,
    least,
    most,
    set: (percent) => setStored(clamp(percent)),
    reset: () => setStored(atFirst),
  };
}
