import { useEffect, useEffectEvent, useState } from 'react'
import { sayMissing } from '../../ui/missing-part.ts'
import { loadOrderItems, type OrderItems, orderItemsThere } from './order-items-code.ts'

/**
 * What shows the orders at this width. When the width changes, what was there stays until the other has
 * come.
 */
export function useOrderItems(wide: boolean, load = loadOrderItems) {
  const [items, setItems] = useState<OrderItems | null>(() => orderItemsThere(wide))
  const [missing, setMissing] = useState(false)
  const known = items?.wide === wide

  const fail = useEffectEvent(() => {
    if (items === null) setMissing(true)
    else sayMissing()
  })
  useEffect(() => {
    // Who is told that they are missing asks for them.
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
    /** There is nothing to show the orders with. */
    missing,
    retry: () => setMissing(false),
  }
}
