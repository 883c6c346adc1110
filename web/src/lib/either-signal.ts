/** Aborted as soon as one of them is, and for its reason. Browsers before 2024 have no `AbortSignal.any`. */
export function eitherSignal(...signals: AbortSignal[]): AbortSignal {
  const either = new AbortController()
  for (const signal of signals) {
    const end = () => either.abort(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { signal: either.signal })
  }
  return either.signal
}
