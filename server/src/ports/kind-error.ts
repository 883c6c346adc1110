/** An error of one of a closed set of kinds, by which callers decide what to do. */
export class KindError<Kind extends string> extends Error {
  readonly kind: Kind

  constructor(kind: Kind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
