import type { CaptureMode } from '../config/options.ts';

/** One thing that was looked at. A warning may be meant that way; a failure never is. */
export interface Check {
  readonly about: 'settings' | 'node' | 'files' | 'start' | 'server' | 'key' | 'test trace';
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
  readonly remedy?: string;
}

/** A function that stays as it is, in a file that is traced. */
export interface LeftFunction {
  readonly name: string;
  readonly line: number;
  readonly reason: string;
}

/** Paths are relative to the project's root. */
export interface FileFindings {
  readonly traced: readonly {
    readonly path: string;
    readonly functions: number;
    readonly left: readonly LeftFunction[];
  }[];
  /** Not traced, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** True if there were more files than the doctor reads. */
  readonly cut: boolean;
}

/** A package that the project depends on and that the SDK knows. */
export interface KnownPackage {
  readonly name: string;
  /** Undefined: it is declared, but not installed. */
  readonly version: string | undefined;
  readonly kind: 'framework' | 'library' | 'bundler';
  readonly traced: boolean;
  readonly says: string;
}

/** All that `doctor` found, as `--json` prints it. */
export interface Findings {
  readonly sdk: string;
  readonly node: string;
  readonly project: { readonly root: string; readonly name: string; readonly version: string | undefined };
  readonly settings: {
    /** Its last four characters. */
    readonly apiKey: string | undefined;
    readonly url: string;
    readonly service: string;
    readonly environment: string | undefined;
    readonly release: string | undefined;
    readonly capture: CaptureMode;
    readonly sampleRate: number;
    readonly include: readonly string[];
    readonly exclude: readonly string[];
  };
  readonly files: FileFindings;
  readonly packages: readonly KnownPackage[];
  readonly checks: readonly Check[];
  /** Nothing failed. */
  readonly ok: boolean;
}

/** `1 file`, `2 files`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
