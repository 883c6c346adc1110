import { nameBeginnings, namedProducts, productsOf } from './order-products.rules.ts'
import type { SendingStore } from './sending.store.ts'

const lower = (name: string) => name.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Why an order is not announced by itself; see `productsOf`. */
export async function classOfOrder(
  sending: Pick<SendingStore, 'offersNamed' | 'isMedicineName'>,
  pharmacyId: string,
  details: string | null,
): Promise<'medicine' | 'unknown_products' | null> {
  const names = (namedProducts(details ?? '') ?? [details ?? '']).map(lower)
  const [known, isInRegister] = await Promise.all([
    sending.offersNamed(pharmacyId, names),
    sending.isMedicineName(nameBeginnings(details)),
  ])
  return productsOf(details, known, isInRegister)
}
