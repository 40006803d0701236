const localImport = /^[ \t]*(?:import|export)\b[^;'"`]*['"]\.{1,2}\//m;

/**
 * Reports, in one line per process, that imports of a required ES module are not traced: Node 20.19 to 22.14 load them without calling any
 * hook.
 */
export class RequiredModules {
  readonly #report: (line: string) => void;
  #isReported = false;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** Called for each of the host's ES modules that is loaded by `require`. */
  note(source: string, file: string): void {
    if (this.#isReported || !localImport.test(source)) return;
    this.#isReported = true;
    this.#report(
      `the imports of ${file} are not traced: the file is an ES module that was loaded by require(), and Node ${process.versions.node} calls no hooks for such imports; use import(), or Node 22.15 or newer`,
    );
  }
}
