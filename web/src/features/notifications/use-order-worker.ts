import { useEffect, useEffectEvent, useState } from 'react'

type OrderWorkerProps = {
  /** Undefined until it is known. */
  pharmacyId: string | undefined
  enabled: boolean
  /** The first page of all orders as the server gave it: whoever takes it parses it. */
  onOrders: (answer: unknown) => void
  onFailure?: (status: number) => void
}

/**
 * Runs the worker that looks for orders for as long as the page is there.
 *
 * @returns whether it runs; where it does not, the page must look by itself
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
    // Its code may not come, and some browsers start no workers.
    start(pharmacyId).catch(onBroken)
    return () => {
      over = true
      stop?.()
    }
  }, [runs, pharmacyId])

  return runs
}
