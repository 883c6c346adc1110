import { useEffect, useEffectEvent, useState } from 'react'

type OrderWorkerProps = {
  /** Undefined until loaded. */
  pharmacyId: string | undefined
  enabled: boolean
  /** Called with the unparsed response of the first page of all orders. */
  onOrders: (answer: unknown) => void
  onFailure?: (status: number) => void
}

/**
 * Runs the worker that polls for orders while the page is mounted.
 *
 * @returns whether it runs; otherwise the page must poll
 */
export function useOrderWorker({ pharmacyId, enabled, ...on }: OrderWorkerProps): boolean {
  const [broken, setBroken] = useState(() => !('Worker' in window))
  const onOrders = useEffectEvent(on.onOrders)
  const onFailure = useEffectEvent((status: number) => on.onFailure?.(status))
  const runs = enabled && !broken && pharmacyId !== undefined

  useEffect(() => {
    if (!runs) return
    let stop: (() => void) | null = null
    let over = false
    const onBroken = () => {
      if (!over) setBroken(true)
    }
    async function start(id: string) {
      const { startOrderWorker } = await import('./order-worker.ts')
      if (over) return
      stop = startOrderWorker({
        pharmacyId: id,
        onOrders: (answer) => onOrders(answer),
        onFailure: (status) => onFailure(status),
        onBroken,
      })
    }
    // Its code may fail to load, and some browsers cannot start workers.
    start(pharmacyId).catch(onBroken)
    return () => {
      over = true
      stop?.()
    }
  }, [runs, pharmacyId])

  return runs
}
