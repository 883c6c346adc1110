/** An error response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, reason: string, headers: Record<string, string> = {}) {
    super(reason)
    this.status = status
    this.headers = headers
  }
}
