/** An Express mount that the request entered: the actual path and its template. */
export interface Mount {
  readonly actual: string;
  readonly template: string;
}
