import { useEffect, useEffectEvent, useState } from 'react'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { loadedOrderItems, loadOrderItems, type OrderItems } from './order-items-loader.ts'

/** The component of the orders for this width. After a resize the previous one is used until the other is loaded. */
export function useOrderItems(wide: boolean, load = loadOrderItems) {
  const [items, setItems] = useState<OrderItems | null>(() => loadedOrderItems(wide))
  const [missing, setMissing] = useState(false)
  const known = items?.wide === wide

  const fail = useEffectEvent(() => {
    if (items === null) setMissing(true)
    else notifyChunkFailure()
  })
  useEffect(() => {
    // After a failure the user has to retry.
    if (known || missing) return
    let over = false
    load(wide).then(
      (loaded) => {
        if (!over) setItems(loaded)
      },
      () => {
        if (!over) fail()
      },
    )
    return () => {
      over = true
    }
  }, [wide, known, missing, load])

  return {
    items,
    /** No component could be loaded. */
    missing,
    retry: () => setMissing(false),
  }
}
