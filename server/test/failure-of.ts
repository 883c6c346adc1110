/** The error of a call that must fail, of that class if one is given. */
export async function failureOf<E extends Error = Error>(
  work: Promise<unknown>,
  kind: abstract new (...given: never[]) => E = Error as never,
): Promise<E> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof kind)) throw new Error(`no ${kind.name}`, { cause: error })
  return error
}
