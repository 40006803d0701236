import type { CaptureMode } from '../config/options.ts';

/** The result of one check. The state is `warning` if the result can be intended, and `failed` if the result is certainly an error. */
export interface Check {
  readonly about: 'settings' | 'node' | 'files' | 'start' | 'server' | 'key' | 'test trace';
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
  readonly remedy?: string;
}

/** A function that cannot be instrumented, although its file is traced. */
export interface LeftFunction {
  readonly name: string;
  readonly line: number;
  readonly reason: string;
}

/** The doctor's findings in the project's files. Paths are relative to the project root. */
export interface FileFindings {
  readonly traced: readonly {
    readonly path: string;
    readonly functions: number;
    readonly left: readonly LeftFunction[];
  }[];
  /** Files that are not traced, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** True if the project has more files than the doctor reads. */
  readonly cut: boolean;
}

/** A dependency of the project about which the doctor has information. */
export interface KnownPackage {
  readonly name: string;
  /** Undefined if the package is declared but not installed. */
  readonly version: string | undefined;
  readonly kind: 'framework' | 'library' | 'bundler';
  readonly traced: boolean;
  readonly says: string;
}

/** All results of `doctor`, as `--json` prints them. */
export interface Findings {
  readonly sdk: string;
  readonly node: string;
  readonly project: { readonly root: string; readonly name: string; readonly version: string | undefined };
  readonly settings: {
    /** The API key in use. Only the last four characters of the key are printed. */
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
  /** True if no check failed. */
  readonly ok: boolean;
}

/** Formats a count with its noun: `1 file`, `2 files`. */
export function formatCount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
