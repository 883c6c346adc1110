import { OrderKeys, type OrderKeysProps } from './order-keys.ts'
import { ScannedOrders } from './scanned-orders.tsx'

/** What keys and the scanner of the counter do on the page of the orders; its code is loaded after the page. */
export function OrderKeyboard(props: OrderKeysProps) {
  return (
    <>
      <OrderKeys {...props} />
      <ScannedOrders opened={props.opened} onShow={props.onShow} />
    </>
  )
}
