import 'react';

declare module 'react' {
  interface CSSProperties {
    /** Components hand figures to their style sheet as CSS variables. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
