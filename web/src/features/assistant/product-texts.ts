import { ProductCategory } from '@bancone/contract/product-categories'
import { z } from 'zod'

const Text = z.string().catch('')

/** What stands in the fields of a product, whatever it is worth. No category: it is not chosen yet. */
export const ProductTexts = z.object({
  name: Text,
  category: z.union([ProductCategory, z.literal('')]).catch(''),
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
