/** One request of a scenario. The service receives the same request with the SDK and without it. */
export interface RealRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A published service, and how it is started. */
export interface RealService {
  /** Name of the service's folder next to this folder. Its `packages` contains a package.json and a lockfile. */
  readonly name: string;
  /**
   * Packages with the service's own source. They are moved out of node_modules, since functions in node_modules count as a library's
   * functions.
   */
  readonly own: readonly string[];
  /** Path of the main script, relative to the folder of the moved packages. */
  readonly script: string;
  args(port: number): readonly string[];
  /** `database` is the URL of an empty PostgreSQL database; see {@link needsDatabase}. */
  env?(port: number, database: string): Readonly<Record<string, string>>;
  readonly needsDatabase?: boolean;
  /** Files that are in the working directory before the service starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** Texts that differ from run to run without the SDK, such as random ids. */
  readonly volatile?: readonly RegExp[];
}
