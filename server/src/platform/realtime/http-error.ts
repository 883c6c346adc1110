/** An HTTP error with its status, and the message that clients show. */
export class HttpError extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
