const localImport = /^[ \t]*(?:import|export)\b[^;'"`]*['"]\.{1,2}\//m;

/** Node 20.19 to 22.14 load what a required ES module imports past all hooks: one line says so, once a process. */
export class RequiredModules {
  readonly #report: (line: string) => void;
  #isTold = false;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** Takes an ES module of the host's that is required. */
  note(source: string, file: string): void {
    if (this.#isTold || !localImport.test(source)) return;
    this.#isTold = true;
    this.#report(
      `what ${file} imports is not traced: it is an ES module that was loaded by require(), and Node ${process.versions.node} shows such imports to nobody; use import(), or Node 22.15 or newer`,
    );
  }
}
