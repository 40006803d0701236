import 'react';

declare module 'react' {
  interface CSSProperties {
    /** A component can pass a number or a token to its style sheet. */
    [name: `--${string}`]: string | number | undefined;
  }
}
