/**
 * A signal that aborts when one of the signals does, with its reason. `AbortSignal.any` is missing in browsers before
 * 2024.
 */
export function anySignal(...signals: AbortSignal[]): AbortSignal {
  const combined = new AbortController()
  for (const signal of signals) {
    const end = () => combined.abort(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { signal: combined.signal })
  }
  return combined.signal
}
