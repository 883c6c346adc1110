import { type OrderKeysProps, useOrderKeys } from './use-order-keys.ts'

/** The keyboard shortcuts as a component, whose code is loaded after the page. */
export function OrderKeys(props: OrderKeysProps) {
  useOrderKeys(props)
  return null
}
