export class FilingError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}
