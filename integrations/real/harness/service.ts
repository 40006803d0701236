/** A response as received: the headers with their order and case, the body as bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** One request of a scenario. The service receives the same request with the SDK and without it. */
export interface RealRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Returns the parts of the request that come from responses to earlier requests, such as a cookie or the id of a created record. The
   * values differ from run to run.
   */
  readonly adapt?: (earlier: readonly Answer[]) => Pick<RealRequest, 'path' | 'headers'>;
}

/** A published service, and how it is started. */
export interface RealService {
  /**
   * Name of the service's folder, which is next to the folder `harness`. Its subfolder `packages` contains a package.json and a lockfile.
   */
  readonly name: string;
  /**
   * Packages with the service's own source. They are moved out of node_modules, since functions in node_modules count as a library's
   * functions.
   */
  readonly own: readonly string[];
  /**
   * Folder with tarballs, relative to node_modules. Some services are published together with other packages of their repository, as
   * tarballs in the service's own package. npm cannot install these tarballs, so our package.json replaces each such dependency by an empty
   * package.
   */
  readonly tarballs?: string;
  /** Files of the service's folder that are copied next to the moved packages before each start, such as a script that starts a library. */
  readonly ownFiles?: readonly string[];
  /** Path of the main script, relative to the folder of the moved packages. */
  readonly script: string;
  args(port: number): readonly string[];
  /** `database` is the URL of an empty database; see {@link needsDatabase}. */
  env?(port: number, database: string): Readonly<Record<string, string>>;
  readonly needsDatabase?: 'PostgreSQL' | 'MariaDB';
  /** A text that the service prints when it is ready. Set only if the service accepts connections before it is ready. */
  readonly printsWhenReady?: string;
  /** Files that are in the working directory before the service starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** Texts that differ from run to run without the SDK, such as random ids. */
  readonly volatile?: readonly RegExp[];
}
