import { type OrderKeysProps, useOrderKeys } from './use-order-keys.ts'

/** The keys of the list, as a part whose code comes after the page. */
export function OrderKeys(props: OrderKeysProps) {
  useOrderKeys(props)
  return null
}
