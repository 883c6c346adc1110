import { shownPrice } from '../../../features/assistant/price-text.ts'
import type { ProductTexts } from '../../../features/assistant/product-texts.ts'

/** The whole sheet as a text, for pasting into another program. */
export function sheetText({ name, category, description, price, code }: ProductTexts): string {
  const lines = [
    name.trim(),
    category,
    description.trim(),
    price.trim() && `Prezzo: ${shownPrice(price)}`,
    code.trim() && `Codice: ${code.trim()}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}
