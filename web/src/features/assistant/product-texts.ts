import { z } from 'zod/mini'

const Text = z.catch(z.string(), '')

/** The fields of a product as typed, valid or not. An empty category: none is chosen yet. */
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
