import { useEffect, useEffectEvent, useState } from 'react'
import { startOrderWorker } from './order-worker.ts'

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
    const onBroken = () => setBroken(true)
    try {
      return startOrderWorker({
        pharmacyId,
        onOrders: (answer) => onOrders(answer),
        onFailure: (status) => onFailure(status),
        onBroken,
      })
    } catch {
      onBroken()
      return
    }
  }, [runs, pharmacyId])

  return runs
}
