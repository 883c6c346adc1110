/** The result of `work`, or null when it takes longer than `milliseconds`. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
