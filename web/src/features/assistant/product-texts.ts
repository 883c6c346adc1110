import { z } from 'zod'

const Text = z.string().catch('')

/** What stands in the fields of a product, whatever it is worth. An empty category: it is not chosen yet. */
export const ProductTexts = z.object({
  name: Text,
  category: Text,
  description: Text,
  price: Text,
  code: Text,
})
export type ProductTexts = z.infer<typeof ProductTexts>

export const noTexts: ProductTexts = {
  name: '',
  category: '',
  description: '',
  price: '',
  code: '',
}
