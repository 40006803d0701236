import 'react';

declare module 'react' {
  interface CSSProperties {
    /** A component may hand a number or a token to its stylesheet. */
    [name: `--${string}`]: string | number | undefined;
  }
}
