import { useLocalStorage } from '@mantine/hooks';

/** The first part's width in percent of both. */
export interface Share {
  readonly percent: number;
  readonly least: number;
  readonly most: number;
  /** Takes the nearest share that is allowed. */
  set(percent: number): void;
  /** Back to where the divider was before anybody moved it. */
  reset(): void;
}

interface ShareOptions {
  /** The name under which this browser remembers the share. */
  readonly name: string;
  readonly atFirst: number;
  readonly least: number;
  readonly most: number;
}

/** The share that a divider was moved to, in this browser. */
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
